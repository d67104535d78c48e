<?php
/* PHP alone: loop.php STREAM. It is told, each in 16 digits, the length of the serialized list of payloads that
 * follows, and then again and again how often to do them all. It answers with 16 characters, first how many payloads
 * there are, then the seconds that it took. */

namespace Phpwire\Bare;

require __DIR__ . '/stream.php';

$stream = open($argv[1]);
$payloads = \unserialize(read($stream, number($stream)));
\fwrite($stream, \sprintf('%016d', \count($payloads)));
while (($times = number($stream)) > 0) {
    $start = now();
    for ($i = 0; $i < $times; $i++) {
        foreach ($payloads as $bytes) {
            $out = \serialize(\unserialize($bytes, ['allowed_classes' => false]));
        }
    }
    \fwrite($stream, \sprintf('%016.9F', now() - $start));
}

function now(): float
{
    return \function_exists('hrtime') ? \hrtime(true) / 1e9 : \microtime(true);
}
