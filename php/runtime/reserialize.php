<?php
/* Reserialize: serialize(unserialize(bytes)), what PHP said about it, and whether it accepted them at all. */

namespace Phpwire;

/**
 * One answer for each of the byte strings: true (accepted silently, the same bytes came out), a string
 * (accepted silently, these bytes came out), or [accepted, bytes or null, warnings].
 */
function reserializeBatch(array $batch): array
{
    $answers = [];
    $warnings = [];
    Warnings::collect($warnings);
    foreach ($batch as $bytes) {
        $out = null;
        try {
            $out = \serialize(\unserialize($bytes, ['allowed_classes' => false]));
        } catch (\Throwable $e) {
            $warnings[] = Warnings::exception($e);
        }
        if ($warnings) {
            $ok = !Warnings::refused($warnings);
            $answers[] = [$ok, $ok ? $out : null, $warnings];
            $warnings = [];
        } else {
            $answers[] = $out === $bytes ? true : $out;
        }
    }
    \restore_error_handler();
    return $answers;
}
