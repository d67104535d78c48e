<?php
// Sends one message about itself, then every message back: four bytes of length, little-endian, and the bytes.
// The message "throw" throws, "deep:N" is answered with whether N nested arrays survive.
// Exits with 5 at the end of the stream, 6 when it cannot write.
$wire = fopen($argv[1], 'r+b');

function read($n)
{
    global $wire;
    $bytes = $n > 0 ? fread($wire, $n) : '';
    if (strlen($bytes) < $n) {
        exit(5);
    }
    return $bytes;
}

function send($message)
{
    global $wire;
    if (@fwrite($wire, pack('V', strlen($message)) . $message) !== strlen($message) + 4) {
        exit(6);
    }
}

function deep($n)
{
    ini_set('unserialize_max_depth', '0');
    $bytes = str_repeat('a:1:{i:0;', $n) . 'b:1;' . str_repeat('}', $n);
    return serialize(unserialize($bytes)) === $bytes ? 'same' : 'different';
}

send(json_encode([
    'php' => PHP_VERSION,
    'int_size' => PHP_INT_SIZE,
    'precision' => ini_get('serialize_precision'),
    'memory' => ini_get('memory_limit'),
    'args' => array_slice($argv, 2),
    'file' => __FILE__,
    'below' => require __DIR__ . '/below/below.php',
    'env' => getenv('PHPWIRE_TEST'),
]));
echo "printed\0raw\n";
while (true) {
    $message = read(unpack('V', read(4))[1]);
    if ($message === 'throw') {
        throw new DomainException("b\xc3\xa4d");
    }
    send(strpos($message, 'deep:') === 0 ? deep((int) substr($message, 5)) : $message);
}
