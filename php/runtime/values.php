<?php
/* Values: what PHP code sees of a value from the wire, and what the wire sees of a value from PHP code. */

namespace Phpwire;

/** Arrays that a value may nest: 512 on the wire, less the payload's list and the list of arguments. */
const MAX_DEPTH = 510;

/** Whether the keys are 0 … n-1 in order. */
function isList(array $a): bool
{
    $i = 0;
    foreach ($a as $k => $_) {
        if ($k !== $i++) {
            return false;
        }
    }
    return true;
}

final class Values
{
    /** From the wire: descriptors become stubs, living objects and class names, at any depth. */
    public static function in($v)
    {
        if (!\is_array($v)) {
            return $v;
        }
        foreach ($v as $k => $e) {
            if (\is_array($e)) {
                $v[$k] = self::in($e);
            }
        }
        if (\array_key_exists('__rhandle', $v)) {
            return RustHandles::stub($v);
        }
        if (\array_key_exists('__phandle', $v)) {
            return PhpObjects::fromDescriptor($v);
        }
        if (\array_key_exists('__pclass', $v) && \count($v) === 1) {
            if (!\is_string($v['__pclass'])) {
                Frames::violation('__pclass is ' . \gettype($v['__pclass']) . ', not a string');
            }
            return $v['__pclass'];
        }
        return $v;
    }

    /** To the wire: objects become descriptors. What cannot cross is an exception that says why. */
    public static function out($v, int $depth = MAX_DEPTH)
    {
        if (\is_array($v)) {
            $room = MAX_PAYLOAD;
            try {
                return self::outArray($v, $depth, $room) ?? $v;
            } catch (TooDeep $e) {
                throw new \UnexpectedValueException(self::containsItself($v)
                    ? 'an array that contains itself cannot cross the wire'
                    : "a value that nests more than $depth arrays cannot cross the wire");
            }
        }
        if (\is_string($v)) {
            if (\strlen($v) > MAX_PAYLOAD) {
                self::tooLarge();
            }
            return $v;
        }
        return $v === null || \is_scalar($v) ? $v : self::outOther($v);
    }

    /**
     * serialize() of wire values, within a frame, without the references between its parts (`R:`)
     * that PHP's arrays can hold.
     */
    public static function payload(array $fields): string
    {
        if (\ini_get('serialize_precision') !== '-1') {
            \ini_set('serialize_precision', '-1'); // code that was called has changed what the wire needs
        }
        $payload = \serialize($fields);
        if (\strpos($payload, ';R:') !== false) {
            $payload = \serialize(self::withoutReferences($fields));
        }
        if (\strlen($payload) > MAX_PAYLOAD) {
            self::tooLarge();
        }
        return $payload;
    }

    /** What stands for the array on the wire, null when it can cross as it is. */
    private static function outArray(array $a, int $depth, int &$room): ?array
    {
        if ($depth === 0) {
            throw new TooDeep();
        }
        if (\array_key_exists('__rhandle', $a) || \array_key_exists('__phandle', $a)
            || (\count($a) === 1 && \array_key_exists('__pclass', $a))) {
            throw new \UnexpectedValueException('an array with the reserved key '
                . (\array_key_exists('__rhandle', $a) ? '__rhandle' : (\array_key_exists('__phandle', $a) ? '__phandle' : '__pclass'))
                . ' cannot cross the wire: it would be taken for a handle');
        }
        // The least that serialize() needs: shared arrays that unfold beyond a frame end here.
        $room -= 6 + 6 * \count($a);
        $out = null;
        foreach ($a as $k => $v) {
            if (\is_string($v)) {
                $room -= 5 + \strlen($v);
                continue;
            }
            if (\is_int($v) || $v === null || \is_bool($v) || \is_float($v)) {
                continue;
            }
            $v = \is_array($v) ? self::outArray($v, $depth - 1, $room) : self::outOther($v);
            if ($v !== null) {
                $out = $out ?? self::copy($a);
                $out[$k] = $v;
            }
        }
        if ($room < 0) {
            self::tooLarge();
        }
        return $out;
    }

    private static function outOther($v): array
    {
        if (\is_object($v)) {
            return $v instanceof Proxy ? $v->__phpwireDescriptor() : PhpObjects::descriptor($v);
        }
        throw new \UnexpectedValueException('a ' . \gettype($v) . ' cannot cross the wire');
    }

    private static function tooLarge(): void
    {
        throw new \UnexpectedValueException('a value of more than ' . MAX_PAYLOAD . ' bytes does not fit into a frame');
    }

    /** A copy whose elements are values: assigning to one must not reach the variable it refers to. */
    private static function copy(array $a): array
    {
        $copy = [];
        foreach ($a as $k => $v) {
            $copy[$k] = $v;
        }
        return $copy;
    }

    private static function withoutReferences(array $a): array
    {
        $copy = [];
        foreach ($a as $k => $v) {
            $copy[$k] = \is_array($v) ? self::withoutReferences($v) : $v;
        }
        return $copy;
    }

    /** count() finds it, and says so in a warning. */
    private static function containsItself(array $a): bool
    {
        $warnings = [];
        Warnings::collect($warnings);
        \count($a, \COUNT_RECURSIVE);
        \restore_error_handler();
        return $warnings !== [];
    }
}

/** Nesting beyond the limit, on its way to a message. */
final class TooDeep extends \Exception
{
}
