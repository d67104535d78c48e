<?php
/* Floats: doubles to text and back, many at once. Doubles are packed little-endian, eight bytes each. */

namespace Phpwire;

/** serialize() of the list of the packed doubles, written under that serialize_precision. */
function serializeFloats(string $packed, int $precision): string
{
    $floats = unpackFloats($packed);
    $before = \ini_set('serialize_precision', (string) $precision);
    try {
        return \serialize($floats);
    } finally {
        \ini_set('serialize_precision', $before);
    }
}

/** One line of text for each of the packed doubles; empty where json_encode refuses the value. */
function floatTexts(string $packed, int $precision, string $how): string
{
    $floats = unpackFloats($packed);
    $before = \ini_set('serialize_precision', (string) $precision);
    try {
        $lines = [];
        switch ($how) {
            case 'serialize':
                foreach ($floats as $f) {
                    $lines[] = \serialize($f);
                }
                break;
            case 'var_export':
                foreach ($floats as $f) {
                    $lines[] = \var_export($f, true);
                }
                break;
            case 'json_encode':
                foreach ($floats as $f) {
                    $lines[] = (string) @\json_encode($f);
                }
                break;
            default:
                throw new \InvalidArgumentException("no such way to write a float: $how");
        }
        return \implode("\n", $lines);
    } finally {
        \ini_set('serialize_precision', $before);
    }
}

/** The doubles that unserialize reads from the serialized list, packed; or [false, null, warnings]. */
function parseFloats(string $bytes)
{
    $warnings = [];
    Warnings::collect($warnings);
    try {
        $floats = \unserialize($bytes, ['allowed_classes' => false]);
        if (!$warnings && !\is_array($floats)) {
            $warnings[] = 'not a list of floats: ' . \gettype($floats);
        }
    } catch (\Throwable $e) {
        $warnings[] = Warnings::exception($e);
    }
    \restore_error_handler();
    if ($warnings) {
        return [false, null, $warnings];
    }
    foreach ($floats as $i => $f) {
        if (!\is_float($f)) {
            return [false, null, ["element $i is " . \gettype($f) . ', not a float']];
        }
    }
    $packed = '';
    foreach (\array_chunk($floats, 4096) as $some) {
        $packed .= \pack('e*', ...$some);
    }
    return $packed;
}

function unpackFloats(string $packed): array
{
    if (\strlen($packed) % 8 !== 0) {
        throw new \InvalidArgumentException(\strlen($packed) . ' bytes are no whole number of doubles');
    }
    return $packed === '' ? [] : \array_values(\unpack('e*', $packed));
}
