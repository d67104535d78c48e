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
            $out = \serialize(\unserialize($bytes, ['allowed_classes' => false]));
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
