<?php
/* Build: a tagged JSON value, built by PHP's own assignments and serialized. */

namespace Phpwire;

final class Build
{
    /** Three levels of JSON for each of the 512 arrays that may nest, and more; PHP's parser itself ends near 2500. */
    const JSON_DEPTH = 4096;

    /**
     * One answer for each of the JSON texts, joined by a separator that none of them holds: a string (serialize() of
     * the value), or [false, null, warnings].
     */
    public static function joined(string $joined, string $separator): array
    {
        $answers = [];
        $warnings = [];
        Warnings::collect($warnings);
        foreach (\explode($separator, $joined) as $json) {
            $out = null;
            try {
                $out = \serialize(self::one($json));
            } catch (\Throwable $e) {
                $warnings[] = Warnings::exception($e);
            }
            if ($warnings) {
                $answers[] = [false, null, $warnings];
                $warnings = [];
            } else {
                $answers[] = $out;
            }
        }
        \restore_error_handler();
        return $answers;
    }

    /** One value; an exception says why there is none. */
    public static function one(string $json)
    {
        $node = \json_decode($json, true, self::JSON_DEPTH);
        if ($node === null) {
            throw new \UnexpectedValueException('not JSON: ' . \json_last_error_msg());
        }
        return self::value($node);
    }

    /** The value of a node of tagged JSON. */
    public static function value($node)
    {
        switch ($node['t'] ?? null) {
            case 'null':
                return null;
            case 'bool':
                return (bool) $node['v'];
            case 'int':
                return self::int($node['v']);
            case 'float':
                return self::float($node['bits']);
            case 'string':
                return self::bytes($node['b64']);
            case 'list':
                return \array_map([self::class, 'value'], $node['v']);
            case 'array':
                return self::map($node['v']);
            case 'object':
                $object = new \stdClass();
                foreach ($node['v'] as $pair) {
                    $name = self::key($pair[0]);
                    $value = self::value($pair[1]);
                    if (\strncmp((string) $name, "\0", 1) !== 0) {
                        $object->{$name} = $value;
                        continue;
                    }
                    // So start the names of properties that are not public, and only a cast makes those.
                    $properties = (array) $object;
                    $properties[$name] = $value;
                    $object = (object) $properties;
                }
                return (array) $object;
            case 'rhandle':
                $handle = ['__rhandle' => self::int($node['rhandle']), '__class' => self::bytes($node['class']),
                    '__epoch' => self::int($node['epoch'])];
                if (isset($node['snapshot'])) {
                    $handle['__snapshot'] = self::map($node['snapshot']);
                }
                return $handle;
            case 'phandle':
                return ['__phandle' => self::int($node['phandle']), '__class' => self::bytes($node['class']),
                    '__implements' => \array_map([self::class, 'bytes'], $node['implements'])];
            case 'pclass':
                return ['__pclass' => self::bytes($node['class'])];
        }
        throw new \UnexpectedValueException('no such tag: ' . \json_encode($node['t'] ?? null));
    }

    private static function map(array $pairs): array
    {
        $map = [];
        foreach ($pairs as $pair) {
            $map[self::key($pair[0])] = self::value($pair[1]);
        }
        return $map;
    }

    private static function key(array $key)
    {
        return isset($key['int']) ? self::int($key['int']) : self::bytes($key['b64']);
    }

    private static function int(string $text): int
    {
        if ((string) (int) $text !== $text) {
            throw new \UnexpectedValueException("no int: $text");
        }
        return (int) $text;
    }

    private static function float(string $bits): float
    {
        if (\strlen($bits) !== 16 || \strspn($bits, '0123456789abcdefABCDEF') !== 16) {
            throw new \UnexpectedValueException("no 64 bits: $bits");
        }
        return \unpack('E', \hex2bin($bits))[1];
    }

    private static function bytes(string $b64): string
    {
        $bytes = \base64_decode($b64, true);
        if ($bytes === false) {
            throw new \UnexpectedValueException("no base64: $b64");
        }
        return $bytes;
    }
}
