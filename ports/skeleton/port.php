<?php
// A port of phpwire: your codec of PHP's serialize() behind JSON Lines.
//
//     phpwire check --port 'php port.php'

/** What the codec does not claim: the case is skipped, with the reason. */
final class Unable extends Exception {}

/** Replace this: bytes to a tagged value. What is wrong throws. */
function decode(string $payload): array
{
    if ($payload === 'N;') {
        return ['t' => 'null'];
    }
    if ($payload === 'b:0;' || $payload === 'b:1;') {
        return ['t' => 'bool', 'v' => $payload === 'b:1;'];
    }
    throw new Unable('not written yet');
}

/** Replace this: a tagged value to bytes. */
function encode(array $value): string
{
    switch ($value['t']) {
        case 'null': return 'N;';
        case 'bool': return $value['v'] ? 'b:1;' : 'b:0;';
    }
    throw new Unable('not written yet');
}

function answer(array $q): array
{
    switch ($q['op']) {
        case 'hello': return ['name' => 'my-port', 'version' => '0', 'language' => 'PHP', 'ops' => ['decode', 'encode', 'reencode']];
        case 'decode': return ['value' => decode(base64_decode($q['b64']))];
        case 'encode': return ['b64' => base64_encode(encode($q['value']))];
        case 'reencode': return ['b64' => base64_encode(encode(decode(base64_decode($q['b64']))))];
    }
    throw new Unable("no operation {$q['op']}");
}

while (($line = fgets(STDIN)) !== false) {
    $q = json_decode($line, true, 20000);
    try {
        $a = ['ok' => true] + answer($q);
    } catch (Unable $why) {
        $a = ['skip' => $why->getMessage()];
    } catch (Throwable $why) {
        $a = ['ok' => false, 'error' => $why->getMessage()];
    }
    fwrite(STDOUT, json_encode(['id' => $q['id']] + $a, 0, 20000) . "\n");
}
