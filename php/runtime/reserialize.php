<?php
/* Reserialize: serialize(unserialize(bytes)), what PHP said about it, and whether it accepted them at all. */

namespace Phpwire;

/**
 * One answer for each of the byte strings: true (accepted silently, the same bytes came out), a string
 * (accepted silently, these bytes came out), or [accepted, bytes or null, warnings].
 */
function reserializeBatch(array $batch): array
{
    $batch = \array_values($batch);
    return \array_replace(\array_fill(0, \count($batch), true), reserializeAll($batch, \implode('', $batch)));
}

/** As reserializeBatch(), for byte strings joined by a separator that none of them holds. Without the answers that are true. */
function reserializeJoined(string $joined, string $separator): array
{
    return reserializeAll(\explode($separator, $joined), $joined);
}

/** The answers that are not true, by the index of their byte strings, which $all holds together. */
function reserializeAll(array $batch, string $all): array
{
    $plain = isPlain($all);
    $answers = [];
    $warnings = []; // by index: the loop, whose time is what counts, need not look at them
    $i = 0;
    Warnings::collectAt($i, $warnings);
    foreach ($batch as $i => $bytes) {
        try {
            $value = $plain ? \unserialize($bytes) : \unserialize($bytes, ['allowed_classes' => false]);
            if (!$plain && mayRefer($bytes) && Describe::endless($value, $bytes)) {
                // From 8.3 on serialize() does not come back from such a value.
                $warnings[$i][] = 'phpwire: the value contains itself, so serialize() was not asked';
                $answers[$i] = null;
                continue;
            }
            $out = \serialize($value);
            if ($out !== $bytes) {
                $answers[$i] = $out;
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
    foreach (\array_keys($batch, '', true) as $i) {
        $answers[$i] = Warnings::NOTHING;
    }
    return $answers;
}

/** Whether the bytes can have neither objects nor references in them: reading them then takes no care, which takes time. */
function isPlain(string $bytes): bool
{
    foreach (['O:', 'C:', 'E:', 'o:'] as $mark) {
        if (\strpos($bytes, $mark) !== false) {
            return false;
        }
    }
    return !mayRefer($bytes);
}

/** Whether the bytes can have references in them, which "r:" makes in PHP 7.2 as well. */
function mayRefer(string $bytes): bool
{
    return \strpos($bytes, 'R:') !== false || \strpos($bytes, 'r:') !== false;
}
