<?php
/* The least that a child can do: ping.php STREAM. It is told two numbers of 16 digits, how long a message is and how
 * long a reply, and then replies to each message. The first reply is to the numbers. */

namespace Phpwire\Bare;

require __DIR__ . '/stream.php';

$stream = open($argv[1]);
$length = number($stream);
$reply = \str_repeat('x', number($stream));
do {
    \fwrite($stream, $reply);
    $message = \fread($stream, $length);
} while ((string) $message !== '');
