<?php
/* Fields: what the payload of each frame holds. */

namespace Phpwire;

final class Fields
{
    const TYPES = [
        CALL_FUNCTION => ['string', 'list', 'ints of 0 or more'],
        CALL_STATIC_METHOD => ['string', 'string', 'list', 'ints of 0 or more'],
        NEW_OBJECT => ['string', 'list'],
        CALL_PHP_METHOD => ['int of 0 or more', 'string', 'list', 'ints of 0 or more'],
        RETURN_VALUE => ['any', 'array by position'],
        THROW_EXCEPTION => ['string', 'string', 'int', 'array'],
        RELEASE_PHP_HANDLE => ['int of 0 or more'],
        EPOCH_BUMP => ['int of 0 or more', 'int of 0 or more'],
    ];
    const NAMES = [
        CALL_FUNCTION => ['function_name', 'args', 'out_param_positions'],
        CALL_STATIC_METHOD => ['pclass', 'method_name', 'args', 'out_param_positions'],
        NEW_OBJECT => ['pclass', 'ctor_args'],
        CALL_PHP_METHOD => ['phandle', 'method_name', 'args', 'out_param_positions'],
        RETURN_VALUE => ['value', 'out_params'],
        THROW_EXCEPTION => ['exception_class', 'message', 'code', 'properties'],
        RELEASE_PHP_HANDLE => ['phandle'],
        EPOCH_BUMP => ['rhandle', 'epoch'],
    ];

    /** Ends the child unless the fields are those of the tag, in their order, of their types. */
    public static function check(int $tag, array $fields): void
    {
        if ($tag === CALL_FUNCTION && self::isPlainCall($fields)) {
            return;
        }
        $types = self::TYPES[$tag];
        $n = 0;
        foreach ($fields as $i => $v) {
            if ($i !== $n) {
                Frames::violation(name($tag) . ": the payload is no list: key $i where $n belongs");
            }
            if (!isset($types[$n])) {
                Frames::violation(name($tag) . ": field $n is one too many");
            }
            $type = $types[$n++];
            if ($type === 'string' ? !\is_string($v) : ($type === 'int' ? !\is_int($v) : $v !== [] && !self::is($v, $type))) {
                self::wrong($tag, $n - 1, $v, $type);
            }
        }
        if ($n !== \count($types) && !($tag === THROW_EXCEPTION && $n === 3)) {
            Frames::violation(name($tag) . ": field $n \"" . self::NAMES[$tag][$n] . '" is missing');
        }
    }

    /** Whether it is a right CallFunction without out parameters, as nearly all frames are: seen without a look at the rules. */
    private static function isPlainCall(array $fields): bool
    {
        $n = 0;
        foreach ($fields as $i => $v) {
            if ($i !== $n++) {
                return false;
            }
        }
        if ($n !== 3 || $fields[2] !== [] || !\is_string($fields[0]) || !\is_array($fields[1])) {
            return false;
        }
        $n = 0;
        foreach ($fields[1] as $i => $v) {
            if ($i !== $n++) {
                return false;
            }
        }
        return true;
    }

    private static function is($v, string $type): bool
    {
        switch ($type) {
            case 'any':
                return true;
            case 'list':
                return \is_array($v) && isList($v);
            case 'int of 0 or more':
                return self::isNatural($v);
            case 'ints of 0 or more':
                return \is_array($v) && isList($v) && \array_filter($v, [self::class, 'isNatural']) === $v;
            case 'array':
                return \is_array($v);
            case 'array by position':
                return \is_array($v) && \array_filter(\array_keys($v), [self::class, 'isNatural']) === \array_keys($v);
        }
        return false;
    }

    private static function isNatural($v): bool
    {
        return \is_int($v) && $v >= 0;
    }

    private static function wrong(int $tag, int $i, $v, string $type): void
    {
        $kind = \is_array($v) ? (isList($v) ? 'a list' : 'an array that is no list') : (\is_int($v) ? (string) $v : \gettype($v));
        Frames::violation(name($tag) . ": field $i \"" . self::NAMES[$tag][$i] . "\" is $kind, not $type");
    }
}
