<?php
/* Timing: PHP alone in a loop, the yardstick for everything that crosses the wire. */

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

/** Seconds on a clock that does not jump (hrtime exists from 7.3 on). */
function now(): float
{
    return \function_exists('hrtime') ? \hrtime(true) / 1e9 : \microtime(true);
}
