<?php
/* Reserialize: serialize(unserialize(bytes)), what PHP said about it, and whether it accepted them at all. */

namespace Phpwire;

/**
 * The answers to byte strings, joined by a separator that none of them holds, by index: none (accepted silently, the
 * same bytes came out), a string (accepted silently, these bytes came out), or [accepted, bytes or null, warnings].
 */
function reserialize(string $joined, string $separator): array
{
    $batch = \explode($separator, $joined);
    $referring = referring($joined, $separator);
    $answers = [];
    $warnings = []; // by index: the loop, whose time is what counts, need not look at them
    $i = 0;
    Warnings::collectAt($i, $warnings);
    foreach ($batch as $i => $bytes) {
        try {
            // No variable holds the value: its memory is the next one's.
            $out = isset($referring[$i]) ? reserializeFinite($bytes) : \serialize(\unserialize($bytes, ['allowed_classes' => false]));
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

/** serialize(unserialize(bytes)); null, with a warning, where the value contains itself: from 8.3 on serialize() does not come back. */
function reserializeFinite(string $bytes): ?string
{
    $value = \unserialize($bytes, ['allowed_classes' => false]);
    if (Describe::endless($value, $bytes)) {
        \trigger_error('phpwire: the value contains itself, so serialize() was not asked', \E_USER_WARNING);
        return null;
    }
    return \serialize($value);
}

/**
 * Which of the byte strings, joined by a separator without an "r" in it, can have references in them: true by index.
 * A reference is "R:", or "r:" in PHP 7.2 as well, behind a ";", as a value in an array stands behind its key. Nothing
 * that is read at the start of the bytes can refer.
 */
function referring(string $joined, string $separator): array
{
    $referring = [];
    foreach (['R:', 'r:'] as $mark) {
        $i = $counted = 0;
        for ($at = \strpos($joined, $mark); $at !== false; $at = \strpos($joined, $mark, $at + 2)) {
            if ($at > 0 && $joined[$at - 1] === ';') {
                $i += \substr_count($joined, $separator, $counted, $at - $counted);
                $counted = $at;
                $referring[$i] = true;
            }
        }
    }
    return $referring;
}

/** Whether there can be references in the bytes. */
function mayRefer(string $bytes): bool
{
    return referring($bytes, ';') !== [];
}
