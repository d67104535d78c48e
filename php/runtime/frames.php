<?php
/* Frames: bytes from and to the stream, and the end of the child when they break the protocol. */

namespace Phpwire;

const CALL_FUNCTION = 0x00;
const CALL_STATIC_METHOD = 0x01;
const NEW_OBJECT = 0x02;
const CALL_PHP_METHOD = 0x03;
const CALL_RUST_METHOD = 0x04;
const RETURN_VALUE = 0x05;
const THROW_EXCEPTION = 0x06;
const RELEASE_RUST_HANDLE = 0x07;
const RELEASE_PHP_HANDLE = 0x08;
const EPOCH_BUMP = 0x09;

/** Longest length that a frame's head may claim, in bytes; the head's own 8 are not counted. */
const MAX_FRAME = 268435456;
/** Longest payload: a frame without its tag and correlation id. */
const MAX_PAYLOAD = MAX_FRAME - 9;

final class Frames
{
    /** Payloads up to this many bytes are read in one go with their head. */
    const SMALL = 65536;
    /** Bytes that are read or written at a time. */
    const PIECE = 1048576;

    /**
     * Payloads are unserialized inside this list: PHP before 8.3 says nothing about bytes after a value,
     * but a list with such bytes in it does not parse.
     */
    const BEFORE = 'a:2:{i:0;';
    const AFTER = 'i:1;b:1;}';

    private static $stream;
    /** Whether the stream reads ahead: a short frame then costs one read, not two. */
    private static $readsAhead;

    public static function open(string $address): void
    {
        \ini_set('default_socket_timeout', '-1'); // an idle host is no reason to end
        if (\strpos($address, '://') !== false) {
            $stream = @\stream_socket_client($address, $code, $message);
        } else {
            $stream = @\fopen($address, 'r+b');
            $message = \error_get_last()['message'] ?? 'unknown error';
        }
        if (!$stream) {
            self::complain("cannot open $address: $message");
            exit(70);
        }
        // A device counts as seekable: a write would throw away what was read ahead.
        self::$readsAhead = \strpos($address, '://') !== false;
        \stream_set_read_buffer($stream, self::$readsAhead ? self::SMALL : 0);
        \stream_set_chunk_size($stream, self::PIECE);
        \stream_set_write_buffer($stream, 0);
        self::$stream = $stream;
    }

    /**
     * The next frame as [tag, id, fields, marked]; null at the end of the stream.
     * Fields are the payload's list, not yet checked against the tag. Marked says that the payload's
     * bytes hold the name of a reserved key, so that values without one need no walk; those of a raw helper
     * need none in any case.
     */
    public static function read(): ?array
    {
        $head = \fread(self::$stream, 17);
        if ($head === false || \strlen($head) !== 17) {
            $head = self::complete((string) $head, 17, 'head');
            if ($head === '') {
                return null;
            }
        }
        $h = \unpack('Pn/Ctag/Pid', $head);
        $n = $h['n'] - 9;
        if ($n < 0 || $n > MAX_PAYLOAD) {
            // Above 2^63 PHP's ints are negative: print what was on the wire.
            self::violation(\sprintf('length %u, allowed are 9 to %d', $h['n'], MAX_FRAME));
        }
        if ($n > self::SMALL) {
            $payload = self::readLarge($n);
        } else {
            $payload = $n === 0 ? '' : \fread(self::$stream, $n);
            if ($payload === false || \strlen($payload) !== $n) {
                $payload = self::complete((string) $payload, $n, 'payload');
            }
            $payload = self::BEFORE . $payload . self::AFTER;
        }
        $said = \error_get_last();
        try {
            $list = @\unserialize($payload, ['allowed_classes' => false]);
        } catch (\Throwable $e) {
            $list = false;
        }
        if (!\is_array($list) || !isset($list[0], $list[1]) || !\is_array($list[0])) {
            self::violation(name($h['tag']) . ': the payload is not the serialize() of one list');
        }
        if (\error_get_last() !== $said) { // read, but not as it was meant: an int out of range is clamped
            self::violation(name($h['tag']) . ': the payload is read with a warning: ' . \error_get_last()['message']);
        }
        $first = $list[0][0] ?? null;
        $marked = !(\is_string($first) && isset(Helpers::RAW[$first]))
            && (\strpos($payload, 'handle"') !== false || \strpos($payload, '"__pclass"') !== false);
        return [$h['tag'], $h['id'], $list[0], $marked];
    }

    /** Writes one frame. The payload must not be longer than MAX_PAYLOAD. */
    public static function write(int $tag, int $id, string $payload): void
    {
        $length = \strlen($payload) + 9;
        if ($length <= self::PIECE) { // one write wakes the host once
            self::put(\pack('PCP', $length, $tag, $id) . $payload);
        } else {
            self::put(\pack('PCP', $length, $tag, $id));
            self::put($payload);
        }
    }

    /** Writes bytes as they are. */
    public static function put(string $bytes): void
    {
        if (self::$stream === null) {
            return; // a destructor after the protocol has ended
        }
        $done = @\fwrite(self::$stream, $bytes);
        for ($length = \strlen($bytes); $done !== $length; $done += $more) {
            $more = @\fwrite(self::$stream, \substr($bytes, (int) $done, self::PIECE));
            if (!$more) {
                self::violation("the host takes no more bytes: $done of $length written");
            }
        }
    }

    /** For $rounds times: reads $in bytes and writes $out, without frames. The host then has the stream to itself. */
    public static function pingPong(int $rounds, int $in, int $out): void
    {
        $stream = self::$stream;
        $answer = \str_repeat('x', $out);
        while ($rounds-- > 0) {
            for ($missing = $in; $missing > 0; $missing -= \strlen($bytes)) {
                $bytes = (string) \fread($stream, $missing);
                if ($bytes === '' && \feof($stream)) {
                    exit(0);
                }
            }
            \fwrite($stream, $answer);
        }
    }

    /** Ends the child over a frame that breaks the protocol. */
    public static function violation(string $what): void
    {
        self::$stream = null;
        self::complain("protocol violation: $what");
        exit(70);
    }

    /** One line on stderr. */
    public static function complain(string $what): void
    {
        \file_put_contents('php://stderr', 'phpwire: ' . \strtr($what, "\r\n", '  ') . "\n");
    }

    /** Reads until $n bytes are there. '' when the stream ends before the first byte of a head. */
    private static function complete(string $bytes, int $n, string $part): string
    {
        while (\strlen($bytes) < $n) {
            $more = \fread(self::$stream, $n - \strlen($bytes));
            if ((string) $more === '') {
                if (!\feof(self::$stream)) {
                    continue;
                }
                if ($bytes === '' && $part === 'head') {
                    return '';
                }
                self::violation("the stream ended inside a frame's $part, after " . \strlen($bytes) . " of $n bytes");
            }
            $bytes .= $more;
        }
        return $bytes;
    }

    /** Reads a long payload in pieces, past the buffer, and joins them once: the cost stays linear. */
    private static function readLarge(int $n): string
    {
        \stream_set_read_buffer(self::$stream, 0);
        $pieces = [self::BEFORE];
        for ($have = 0; $have < $n; $have += \strlen($piece)) {
            $piece = (string) \fread(self::$stream, \min(self::PIECE, $n - $have));
            if ($piece === '' && \feof(self::$stream)) {
                self::violation("the stream ended inside a frame's payload, after $have of $n bytes");
            }
            $pieces[] = $piece;
        }
        self::$readsAhead && \stream_set_read_buffer(self::$stream, self::SMALL);
        $pieces[] = self::AFTER;
        return \implode('', $pieces);
    }
}

/** A tag as people read it. */
function name(int $tag): string
{
    static $names = ['CallFunction', 'CallStaticMethod', 'NewObject', 'CallPhpMethod', 'CallRustMethod',
        'Return', 'Throw', 'ReleaseRustHandle', 'ReleasePhpHandle', 'EpochBump'];
    return \sprintf('%s (0x%02x)', $names[$tag] ?? 'unknown tag', $tag);
}
