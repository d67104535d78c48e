<?php
/* Timing: PHP alone in a loop and the bare socket, the yardsticks for everything that crosses the wire. */

namespace Phpwire;

/** Seconds that PHP takes to do it $n times: 'unserialize', 'serialize' or 'reserialize' of these bytes. */
function timeInside(string $what, string $bytes, int $n): float
{
    $value = \unserialize($bytes, ['allowed_classes' => false]);
    $start = now();
    switch ($what) {
        case 'unserialize':
            for ($i = 0; $i < $n; $i++) {
                $v = \unserialize($bytes, ['allowed_classes' => false]);
            }
            break;
        case 'serialize':
            for ($i = 0; $i < $n; $i++) {
                $v = \serialize($value);
            }
            break;
        case 'reserialize':
            for ($i = 0; $i < $n; $i++) {
                $v = \serialize(\unserialize($bytes, ['allowed_classes' => false]));
            }
            break;
        default:
            throw new \InvalidArgumentException("no such work: $what");
    }
    return now() - $start;
}

/**
 * Seconds that PHP takes for the work of a batch and nothing else, $n times: for 'reserialize' to read and write each
 * of the cases, for 'describe' to read and describe it, for 'build' to parse its JSON, build the value and write it,
 * for 'floats' to write each of the doubles, which are packed as for serializeFloats, one string for a case.
 */
function timeAlone(string $what, array $cases, int $n): float
{
    $floats = $what === 'floats' ? unpackFloats(\implode('', $cases)) : [];
    $start = now();
    switch ($what) {
        case 'reserialize':
            for ($i = 0; $i < $n; $i++) {
                foreach ($cases as $bytes) {
                    $v = \serialize(\unserialize($bytes, ['allowed_classes' => false]));
                }
            }
            break;
        case 'describe':
            for ($i = 0; $i < $n; $i++) {
                foreach ($cases as $bytes) {
                    $v = Describe::value(\unserialize($bytes, ['allowed_classes' => false]));
                }
            }
            break;
        case 'build':
            for ($i = 0; $i < $n; $i++) {
                foreach ($cases as $json) {
                    $v = \serialize(Build::value(\json_decode($json, true, Build::JSON_DEPTH)));
                }
            }
            break;
        case 'floats':
            for ($i = 0; $i < $n; $i++) {
                foreach ($floats as $f) {
                    $v = \serialize($f);
                }
            }
            break;
        default:
            throw new \InvalidArgumentException("no such work: $what");
    }
    return now() - $start;
}

/** Seconds on a clock that does not jump (hrtime exists from 7.3 on). */
function now(): float
{
    return \function_exists('hrtime') ? \hrtime(true) / 1e9 : \microtime(true);
}
