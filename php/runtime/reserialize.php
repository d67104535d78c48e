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
    $answers = \array_fill(0, \count($batch), true);
    $warnings = []; // by index: the loop, whose time is what counts, need not look at them
    $i = 0;
    Warnings::collectAt($i, $warnings);
    foreach ($batch as $i => $bytes) {
        try {
            $value = \unserialize($bytes, ['allowed_classes' => false]);
            if (\stripos($bytes, 'r:') !== false && Describe::endless($value, $bytes)) {
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
        $out = $answers[$i] === true ? $batch[$i] : $answers[$i];
        $answers[$i] = Warnings::refused($w) ? [false, null, $w] : [true, $out, $w];
    }
    foreach (\array_keys($batch, '', true) as $i) {
        $answers[$i] = Warnings::NOTHING;
    }
    return $answers;
}
