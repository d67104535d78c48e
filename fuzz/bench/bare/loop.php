<?php
/* PHP alone: loop.php STREAM. The first line is the length of the serialized list of payloads that follows it. Then
 * each line is how often to do them all, and is answered with a line, the seconds that it took. */

\ini_set('default_socket_timeout', '-1');
$stream = \strpos($argv[1], '://') === false ? \fopen($argv[1], 'r+b') : \stream_socket_client($argv[1]);
for ($n = (int) \fgets($stream), $list = ''; \strlen($list) < $n;) {
    $list .= \fread($stream, $n - \strlen($list));
}
$payloads = \unserialize($list);
\fwrite($stream, \count($payloads) . "\n");
while (($line = \fgets($stream)) !== false) {
    $times = (int) $line;
    $start = \function_exists('hrtime') ? \hrtime(true) / 1e9 : \microtime(true);
    for ($i = 0; $i < $times; $i++) {
        foreach ($payloads as $bytes) {
            $out = \serialize(\unserialize($bytes, ['allowed_classes' => false]));
        }
    }
    $end = \function_exists('hrtime') ? \hrtime(true) / 1e9 : \microtime(true);
    \fwrite($stream, \sprintf("%.9F\n", $end - $start));
}
