<?php
/* Enumerate: every text of so many tokens, put together and unserialized here; only what is not refused crosses. */

namespace Phpwire;

final class Enumerate
{
    const OPTIONS = ['allowed_classes' => false];

    /**
     * Which of the texts number $first to $first + $count - 1 unserialize does not refuse, packed as 32-bit
     * little-endian offsets from $first. Text number n is $before, then $length tokens, the digits of n in
     * base count($tokens) with the first token the most significant, then $after.
     */
    public static function accepted(array $tokens, int $length, int $first, int $count, string $before, string $after): string
    {
        $tokens = $length === 0 ? [''] : $tokens;
        $radix = \count($tokens);
        $end = $first + $count;
        $found = [];
        $reporting = \error_reporting(0); // a refusal costs no call of a handler
        try {
            for ($n = $first; $n < $end;) {
                $head = $before . self::head($tokens, $length, \intdiv($n, $radix));
                $tails = \array_slice($tokens, $n % $radix, $end - $n);
                foreach ($tails as $tail) {
                    $text = $head . $tail . $after;
                    try {
                        // What is refused is false; the only other false is a bool that is one.
                        if (\unserialize($text, self::OPTIONS) !== false || (\strncmp($text, 'b', 1) === 0 && self::silent($text))) {
                            $found[] = $n - $first;
                        }
                    } catch (\Throwable $e) {
                        // refused as well
                    }
                    $n++;
                }
            }
        } finally {
            \error_reporting($reporting);
        }
        return \implode('', \array_map(function (array $some): string {
            return \pack('V*', ...$some);
        }, \array_chunk($found, 4096)));
    }

    /** The tokens before the last one. */
    private static function head(array $tokens, int $length, int $n): string
    {
        $head = '';
        for ($i = 1; $i < $length; $i++) {
            $head = $tokens[$n % \count($tokens)] . $head;
            $n = \intdiv($n, \count($tokens));
        }
        return $head;
    }

    private static function silent(string $text): bool
    {
        \error_clear_last();
        \unserialize($text, self::OPTIONS);
        $last = \error_get_last();
        return $last === null || \strpos($last['message'], 'unserialize(): Error at offset ') === false;
    }
}
