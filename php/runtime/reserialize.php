<?php
/* Reserialize: serialize(unserialize(bytes)), what PHP said about it, and whether it accepted them at all. */

namespace Phpwire;

/**
 * One answer for each of the byte strings: true (accepted silently, the same bytes came out), a string
 * (accepted silently, these bytes came out), or [accepted, bytes or null, warnings].
 */
function reserializeBatch(array $batch): array
{
    $answers = \array_fill(0, \count($batch), true); // the common answer costs nothing more
    $warnings = [];
    Warnings::collect($warnings);
    foreach (\array_values($batch) as $i => $bytes) {
        if ($bytes === '') {
            $answers[$i] = Warnings::NOTHING;
            continue;
        }
        try {
            $out = \serialize(\unserialize($bytes, ['allowed_classes' => false]));
            if ($out === $bytes && !$warnings) {
                continue;
            }
        } catch (\Throwable $e) {
            $warnings[] = Warnings::exception($e);
        }
        if ($warnings) {
            $ok = !Warnings::refused($warnings);
            $answers[$i] = [$ok, $ok ? $out : null, $warnings];
            $warnings = [];
        } else {
            $answers[$i] = $out;
        }
    }
    \restore_error_handler();
    return $answers;
}
