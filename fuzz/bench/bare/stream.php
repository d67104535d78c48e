<?php
/* The stream of a bare child, opened as the worker does it. */

namespace Phpwire\Bare;

function open(string $address)
{
    \ini_set('default_socket_timeout', '-1');
    $isSocket = \strpos($address, '://') !== false;
    $stream = $isSocket ? \stream_socket_client($address) : \fopen($address, 'r+b');
    \stream_set_read_buffer($stream, $isSocket ? 65536 : 0); // a device would be read until the buffer is full
    \stream_set_write_buffer($stream, 0);
    return $stream;
}

/** Reads a number of 16 digits; the end of the stream is 0. */
function number($stream): int
{
    return (int) read($stream, 16);
}

function read($stream, int $length): string
{
    for ($bytes = ''; \strlen($bytes) < $length; $bytes .= $more) {
        $more = (string) \fread($stream, $length - \strlen($bytes));
        if ($more === '') {
            return '';
        }
    }
    return $bytes;
}
