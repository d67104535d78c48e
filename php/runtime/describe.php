<?php
/* Describe: the value PHP unserializes, as tagged JSON. Written by hand: json_encode would change the bytes. */

namespace Phpwire;

final class Describe
{
    /** Arrays inside one another, with references among them, that are worth describing: text is copied at each level. */
    const DEEPEST = 600;

    /** Sits in an array while it is walked; found again below itself, the array contains itself. */
    const MARK = "\0phpwire\0";

    /**
     * One answer for each of the byte strings, joined by a separator that none of them holds: a string (accepted
     * silently, the value's tagged JSON), or [accepted, JSON or null, warnings].
     */
    public static function joined(string $joined, string $separator): array
    {
        $special = special($joined, $separator);
        $answers = [];
        $warnings = [];
        Warnings::collect($warnings);
        foreach (\explode($separator, $joined) as $i => $bytes) {
            if ($bytes === '') {
                $answers[] = Warnings::NOTHING;
                continue;
            }
            $json = null;
            try {
                $value = isset($special[$i]) ? \unserialize($bytes, ['allowed_classes' => false]) : \unserialize($bytes);
                $json = isset($special[$i]) && mayRefer($bytes) ? self::bounded($value, $bytes) : self::value($value);
            } catch (\Throwable $e) {
                $warnings[] = Warnings::exception($e);
            }
            if ($warnings) {
                $ok = !Warnings::refused($warnings);
                $answers[] = [$ok, $ok ? $json : null, $warnings];
                $warnings = [];
            } else {
                $answers[] = $json;
            }
        }
        \restore_error_handler();
        return $answers;
    }

    /** The JSON of a value in which references may multiply what they name: the work is bounded by the input. */
    private static function bounded($value, string $bytes): string
    {
        $room = 16 * \strlen($bytes) + 1024;
        return self::shared($value, $room);
    }

    /** Whether a value contains itself, or unfolds to far more than the bytes that it was read from. */
    public static function endless($value, string $bytes): bool
    {
        $room = \strlen($bytes);
        if (self::fits($value, $room, MAX_DEPTH)) {
            return false;
        }
        $json = self::bounded($value, $bytes);
        return \strpos($json, '"php":"recursion"') !== false || \strpos($json, '"php":"expansion"') !== false;
    }

    /**
     * Whether a value, unfolded, would need no more than $room bytes, counted as the least that serialize() makes of
     * it: then it does not contain itself. Objects and what nests deeper than $depth are not looked into.
     */
    private static function fits($value, int &$room, int $depth): bool
    {
        if (!\is_array($value)) {
            return !\is_object($value);
        }
        $room -= 6 * \count($value); // each element is "i:0;N;" at least
        if ($room < 0 || $depth === 0) {
            return false;
        }
        foreach ($value as $v) {
            if (\is_string($v)) {
                $room -= \strlen($v);
            } elseif ((\is_array($v) || \is_object($v)) && !self::fits($v, $room, $depth - 1)) {
                return false;
            }
        }
        return $room >= 0;
    }

    /** The tagged JSON of a value without references in it. */
    public static function value($v): string
    {
        $json = '';
        self::append($json, $v);
        return $json;
    }

    /** Appends the JSON of a value without references: what was written is copied at no level. */
    public static function append(string &$json, $v): void
    {
        if (\is_string($v)) {
            $json .= '{"t":"string","b64":"' . \base64_encode($v) . '"}';
            return;
        }
        if (\is_int($v)) {
            $json .= "{\"t\":\"int\",\"v\":\"$v\"}";
            return;
        }
        if (!\is_array($v)) {
            $json .= self::leaf($v);
            return;
        }
        $i = 0;
        foreach ($v as $k => $_) {
            if ($k !== $i++) {
                self::appendPairs($json, $v);
                return;
            }
        }
        $json .= '{"t":"list","v":[';
        $comma = '';
        foreach ($v as $e) {
            $json .= $comma;
            $comma = ',';
            if (\is_string($e)) {
                $json .= '{"t":"string","b64":"' . \base64_encode($e) . '"}';
            } else {
                self::append($json, $e);
            }
        }
        $json .= ']}';
    }

    private static function appendPairs(string &$json, array $v): void
    {
        $json .= '{"t":"array","v":';
        $before = '[[';
        foreach ($v as $k => $e) {
            $json .= \is_int($k) ? "$before{\"int\":\"$k\"}," : $before . '{"b64":"' . \base64_encode($k) . '"},';
            $before = '],[';
            if (\is_string($e)) {
                $json .= '{"t":"string","b64":"' . \base64_encode($e) . '"}';
            } elseif (\is_int($e)) {
                $json .= "{\"t\":\"int\",\"v\":\"$e\"}";
            } else {
                self::append($json, $e);
            }
        }
        $json .= ']]}';
    }

    /** As value(), for values with references among them. */
    private static function shared(&$v, int &$room, int $depth = 0): string
    {
        if (--$room < 0 || $depth > self::DEEPEST) {
            return '{"t":"other","php":"expansion"}';
        }
        if (!\is_array($v)) {
            return self::value($v);
        }
        if (isset($v[self::MARK])) {
            return '{"t":"other","php":"recursion"}';
        }
        $list = isList($v);
        $json = '';
        $keys = \array_keys($v);
        $v[self::MARK] = true;
        foreach ($keys as $k) {
            $e = self::shared($v[$k], $room, $depth + 1);
            $json .= $list ? ",$e" : ',[' . self::key($k) . ",$e]";
        }
        unset($v[self::MARK]);
        return ($list ? '{"t":"list","v":[' : '{"t":"array","v":[') . \substr($json, 1) . ']}';
    }

    private static function leaf($v): string
    {
        if ($v === null) {
            return '{"t":"null"}';
        }
        if (\is_bool($v)) {
            return $v ? '{"t":"bool","v":true}' : '{"t":"bool","v":false}';
        }
        if (\is_float($v)) {
            return '{"t":"float","bits":"' . \bin2hex(\pack('E', $v)) . '"}';
        }
        $class = \get_class($v);
        if ($v instanceof \__PHP_Incomplete_Class) {
            $class = ((array) $v)['__PHP_Incomplete_Class_Name'] ?? $class;
        }
        return '{"t":"other","php":"object","class":"' . \base64_encode($class) . '"}';
    }

    private static function key($k): string
    {
        return \is_int($k) ? "{\"int\":\"$k\"}" : '{"b64":"' . \base64_encode($k) . '"}';
    }
}
