<?php
/* Warnings: what PHP says while the oracle works, in words that are the same on every version. */

namespace Phpwire;

final class Warnings
{
    /** 2048 is E_STRICT, whose name is deprecated. */
    const LEVELS = [
        \E_WARNING => 'E_WARNING', \E_NOTICE => 'E_NOTICE', \E_DEPRECATED => 'E_DEPRECATED', 2048 => 'E_STRICT',
        \E_RECOVERABLE_ERROR => 'E_RECOVERABLE_ERROR', \E_USER_ERROR => 'E_USER_ERROR',
        \E_USER_WARNING => 'E_USER_WARNING', \E_USER_NOTICE => 'E_USER_NOTICE', \E_USER_DEPRECATED => 'E_USER_DEPRECATED',
    ];

    /** The answer to no bytes at all: unserialize('') is a refusal, the only one that PHP does not speak of. */
    const NOTHING = [false, null, []];

    /** Collects into $into until restore_error_handler() is called. */
    public static function collect(array &$into): void
    {
        \set_error_handler(static function (int $level, string $text) use (&$into): bool {
            $into[] = self::text($level, $text);
            return true;
        });
    }

    /** As collect(), into the list that $into has at the present value of $key. */
    public static function collectAt(&$key, array &$into): void
    {
        \set_error_handler(static function (int $level, string $text) use (&$key, &$into): bool {
            $into[$key][] = self::text($level, $text);
            return true;
        });
    }

    private static function text(int $level, string $text): string
    {
        return (self::LEVELS[$level] ?? "E_$level") . ": $text";
    }

    public static function exception(\Throwable $e): string
    {
        return 'exception ' . \get_class($e) . ': ' . $e->getMessage();
    }

    /** Whether unserialize refused its input: it says so, or throws. False is also a value. */
    public static function refused(array $warnings): bool
    {
        foreach ($warnings as $w) {
            if (\strncmp($w, 'exception ', 10) === 0 || \strpos($w, 'unserialize(): Error at offset ') !== false) {
                return true;
            }
        }
        return false;
    }
}
