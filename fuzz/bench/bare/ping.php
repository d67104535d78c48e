<?php
/* The least that a child can do: ping.php STREAM. The first message is the reply to all that follow, which are
 * read and thrown away; each comes with one write. */

\ini_set('default_socket_timeout', '-1');
$stream = \strpos($argv[1], '://') === false ? \fopen($argv[1], 'r+b') : \stream_socket_client($argv[1]);
\stream_set_write_buffer($stream, 0);
$reply = \fread($stream, 8192);
\fwrite($stream, $reply);
while ((string) \fread($stream, 8192) !== '') {
    \fwrite($stream, $reply);
}
