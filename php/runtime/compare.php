<?php
/* Compare: PHP is told what the other side makes of each case, and names those of which it makes something else. */

namespace Phpwire;

final class Compare
{
    const OPTIONS = ['allowed_classes' => false];

    /**
     * $readings has for each payload '' (refused), or the tagged JSON of the value that is read behind a letter:
     * "c" where serialize() of it gives the payload, "p" where not. The answer is two lists of indexes: of the
     * payloads that PHP reads otherwise, and of those refused ones that it reads with a warning. What holds a
     * reference, which serialize() may not survive, counts as read otherwise.
     */
    public static function payloads(array $payloads, array $readings): array
    {
        $unlike = $warned = [];
        $reporting = \error_reporting(0); // a refusal costs no call of a handler
        \error_clear_last();
        foreach ($payloads as $i => $bytes) {
            try {
                $value = \unserialize($bytes, self::OPTIONS);
            } catch (\Throwable $e) {
                $readings[$i] === '' || $unlike[] = $i;
                \error_clear_last();
                continue;
            }
            $reading = $readings[$i];
            if ($reading === '') {
                // What is refused is false; the only other false is a bool that is one.
                if ($value === false && (\strncmp($bytes, 'b:0;', 4) !== 0 || self::refused())) {
                    \error_clear_last();
                } elseif (\error_get_last() === null) {
                    $unlike[] = $i;
                } else {
                    $warned[] = $i;
                    \error_clear_last();
                }
                continue;
            }
            if (\error_get_last() !== null) {
                $unlike[] = $i;
                \error_clear_last();
                continue;
            }
            if (mayRefer($bytes)) {
                $unlike[] = $i;
                continue;
            }
            $seen = \serialize($value) === $bytes ? 'c' : 'p';
            Describe::append($seen, $value);
            if ($seen !== $reading) {
                $unlike[] = $i;
            }
        }
        \error_reporting($reporting);
        return [$unlike, $warned];
    }

    /**
     * The indexes of the values, given as tagged JSON, that PHP does not build and serialize to the bytes in
     * $encoded, or of which it does not read those bytes, without a word, as what it built, and serialize that to
     * them again. A NaN is not even itself: a value that holds one is always named.
     */
    public static function values(array $tagged, array $encoded): array
    {
        $unlike = [];
        $reporting = \error_reporting(0);
        \error_clear_last();
        foreach ($encoded as $i => $bytes) {
            try {
                $built = Build::one($tagged[$i]);
                $same = \serialize($built) === $bytes;
                $read = \unserialize($bytes, self::OPTIONS);
                // 0 is identical to -0, but is not written like it.
                if (!$same || $read !== $built || \serialize($read) !== $bytes || \error_get_last() !== null) {
                    $unlike[] = $i;
                    \error_clear_last();
                }
            } catch (\Throwable $e) {
                $unlike[] = $i;
                \error_clear_last();
            }
        }
        \error_reporting($reporting);
        return $unlike;
    }

    private static function refused(): bool
    {
        return \strpos(\error_get_last()['message'] ?? '', 'unserialize(): Error at offset ') !== false;
    }
}
