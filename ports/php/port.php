<?php
// PHP itself as a port: serialize() and unserialize() of the PHP that runs this.
//
//     phpwire check --port 'php -n -d serialize_precision=-1 ports/php/port.php'

set_error_handler(static fn (): bool => true); // notices and warnings must not reach standard output

final class Unable extends Exception {}

/** The tagged value as PHP has it. Arrays are filled element by element, as PHP code would. */
function untag(array $tagged)
{
    switch ($tagged['t']) {
        case 'null': return null;
        case 'bool': return $tagged['v'];
        case 'int': return (int) $tagged['v'];
        case 'float': return unpack('E', hex2bin($tagged['bits']))[1];
        case 'string': return base64_decode($tagged['b64']);
        case 'list': return array_map('untag', $tagged['v']);
        case 'array':
            $array = [];
            foreach ($tagged['v'] as [$key, $value]) {
                $array[isset($key['int']) ? (int) $key['int'] : base64_decode($key['b64'])] = untag($value);
            }
            return $array;
    }
    throw new Unable("PHP has no values of the kind {$tagged['t']}");
}

function tag($value, int $depth = 0): array
{
    if ($depth > 4096) { // unserialize_max_depth
        throw new Unable('an array that contains itself is no plain data');
    }
    switch (true) {
        case $value === null: return ['t' => 'null'];
        case is_bool($value): return ['t' => 'bool', 'v' => $value];
        case is_int($value): return ['t' => 'int', 'v' => (string) $value];
        case is_float($value): return ['t' => 'float', 'bits' => bin2hex(pack('E', $value))];
        case is_string($value): return ['t' => 'string', 'b64' => base64_encode($value)];
        case !is_array($value): throw new Unable('an object is no plain data');
    }
    $pairs = [];
    foreach ($value as $key => $element) {
        $pairs[] = [is_int($key) ? ['int' => (string) $key] : ['b64' => base64_encode($key)], tag($element, $depth + 1)];
    }
    return ['t' => 'array', 'v' => $pairs];
}

function decode(string $payload)
{
    $value = unserialize($payload, ['allowed_classes' => false]);
    if ($value === false && strncmp($payload, 'b:0;', 4) !== 0) {
        throw new RuntimeException('unserialize() refuses it');
    }
    return $value;
}

function answer(array $q): array
{
    switch ($q['op']) {
        case 'hello':
            return ['name' => 'PHP', 'version' => PHP_VERSION, 'language' => 'PHP', 'ops' => ['decode', 'encode', 'reencode'], 'profile' => 'php'];
        case 'decode': return ['value' => tag(decode(base64_decode($q['b64'])))];
        case 'encode': return ['b64' => base64_encode(serialize(untag($q['value'])))];
        case 'reencode': return ['b64' => base64_encode(serialize(decode(base64_decode($q['b64']))))];
    }
    throw new Unable("no operation {$q['op']}");
}

while (($line = fgets(STDIN)) !== false) {
    $q = json_decode($line, true, 20000);
    try {
        $a = ['ok' => true] + answer($q);
    } catch (Unable $e) {
        $a = ['skip' => $e->getMessage()];
    } catch (Throwable $e) {
        $a = ['ok' => false, 'error' => $e->getMessage()];
    }
    fwrite(STDOUT, json_encode(['id' => $q['id']] + $a, 0, 20000) . "\n");
}
