<?php
/* Reserialize: serialize(unserialize(bytes)), what PHP said about it, and whether it accepted them at all. */

namespace Phpwire;

/**
 * The tokens of references, which can make a value contain itself, and of objects for which allowed_classes matters,
 * as it does not for enums. Only 7.2 makes a reference of "r:".
 */
const SPECIAL = \PHP_VERSION_ID < 70300 ? ['R:', 'r:', 'O:', 'C:'] : ['R:', 'O:', 'C:'];

/**
 * The answers to byte strings, joined by a separator that none of them holds, by index: none (accepted silently, the
 * same bytes came out), a string (accepted silently, these bytes came out), or [accepted, bytes or null, warnings].
 */
function reserialize(string $joined, string $separator): array
{
    $batch = \explode($separator, $joined);
    $special = special($joined, $separator);
    $answers = [];
    $warnings = []; // by index: the loop, whose time is what counts, need not look at them
    $i = 0;
    Warnings::collectAt($i, $warnings);
    foreach ($batch as $i => $bytes) {
        try {
            // No variable holds the value: its memory is the next one's.
            $out = isset($special[$i]) ? reserializeSpecial($bytes) : \serialize(\unserialize($bytes));
            if ($out !== $bytes) {
                $answers[$i] = $bytes === '' ? Warnings::NOTHING : $out;
            }
        } catch (\Throwable $e) {
            $warnings[$i][] = Warnings::exception($e);
        }
    }
    \restore_error_handler();
    foreach ($warnings as $i => $w) {
        $out = \array_key_exists($i, $answers) ? $answers[$i] : $batch[$i];
        $answers[$i] = Warnings::refused($w) ? [false, null, $w] : [true, $out, $w];
    }
    return $answers;
}

/**
 * serialize(unserialize(bytes)) without objects of any class; null, with a warning, where the value contains itself:
 * from 8.3 on serialize() does not come back from it.
 */
function reserializeSpecial(string $bytes): ?string
{
    $value = \unserialize($bytes, ['allowed_classes' => false]);
    if (mayRefer($bytes) && Describe::endless($value, $bytes)) {
        \trigger_error('phpwire: the value contains itself, so serialize() was not asked', \E_USER_WARNING);
        return null;
    }
    return \serialize($value);
}

/**
 * Which of the byte strings, joined by a separator of bytes that no token has, may be special: true by index. One of
 * those tokens stands where a value can begin, which is at the start of the bytes, or behind the ";" of a key. Others
 * are read without care, which takes time.
 */
function special(string $joined, string $separator): array
{
    $special = [];
    $end = \substr($separator, -1);
    foreach (SPECIAL as $token) {
        $i = $counted = 0;
        for ($at = \strpos($joined, $token); $at !== false; $at = \strpos($joined, $token, $at + 2)) {
            $before = $at === 0 ? $end : $joined[$at - 1];
            if ($before === ';' || $before === $end) {
                $i += \substr_count($joined, $separator, $counted, $at - $counted);
                $counted = $at;
                $special[$i] = true;
            }
        }
    }
    return $special;
}

/** Whether the bytes may hold a reference: none stands at their start. */
function mayRefer(string $bytes): bool
{
    return (\strpos($bytes, 'R:') !== false || \strpos($bytes, 'r:') !== false) && \preg_match('/;[Rr]:/', $bytes) !== 0;
}
