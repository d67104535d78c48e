<?php
/* Throwables: from an exception to the fields of a Throw, and back. */

namespace Phpwire;

final class Throwables
{
    /** Links of a chain of previous exceptions that cross. */
    const CHAIN = 50;
    /** Arrays that a property's value may nest; the chain above it takes the rest of the 512. */
    const DEPTH = 400;
    /** Bytes of a message that cross when the whole does not fit into a frame. */
    const CUT = 65536;
    /** What Exception and Error declare themselves: it has a field of its own, or means nothing elsewhere. */
    const OWN = ['message' => 1, 'code' => 1, 'file' => 1, 'line' => 1, 'previous' => 1];

    /** The payload of the Throw that tells the host of it. Never throws itself. */
    public static function payload(\Throwable $e): string
    {
        try {
            return Values::payload(\array_values(self::describe($e, self::CHAIN)));
        } catch (\UnexpectedValueException $large) {
            $message = $e->getMessage();
            return \serialize([\get_class($e), \substr($message, 0, self::CUT) . '… (' . \strlen($message) . ' bytes; the exception does not fit into a frame)',
                \is_int($e->getCode()) ? $e->getCode() : 0, []]);
        }
    }

    /** The exception that the fields of a Throw tell of, as exactly as this PHP can build it. */
    public static function revive(string $class, string $message, int $code, array $properties): \Throwable
    {
        try {
            $e = self::build($class, $message, $code, $properties);
        } catch (\Throwable $failure) {
            $e = null;
        }
        $e = $e ?? new \RuntimeException($message, $code);
        self::forgetArguments($e);
        return $e;
    }

    /**
     * The trace names the arguments of every call on the way: of ours, where a cause would hold the exception that it
     * is the cause of, and of the caller's, whose stubs would live as long.
     */
    private static function forgetArguments(\Throwable $e): void
    {
        $trace = $e->getTrace();
        foreach ($trace as $i => $_) {
            unset($trace[$i]['args']);
        }
        self::set(self::root($e), $e, 'trace', $trace);
    }

    /** @return array class, message, code, properties */
    private static function describe(\Throwable $e, int $chain): array
    {
        $code = $e->getCode();
        $properties = self::properties($e);
        if (!\is_int($code)) {
            $properties['code'] = self::safe($code);
            $code = 0;
        }
        $previous = $e->getPrevious();
        if ($previous !== null) {
            $properties['previous'] = $chain > 0 ? self::describe($previous, $chain - 1) : 'more exceptions than ' . self::CHAIN . ' in a chain do not cross';
        }
        return ['class' => \get_class($e), 'message' => $e->getMessage(), 'code' => $code, 'properties' => $properties];
    }

    /** Declared properties by name; of two private ones with a name, the one nearest to the object's class. */
    private static function properties(\Throwable $e): array
    {
        $class = \get_class($e);
        $properties = [];
        // The cast sees private properties of parents too and runs no code; their keys are "\0Class\0name".
        foreach ((array) $e as $key => $value) {
            $key = (string) $key;
            $parts = \explode("\0", $key);
            $name = \end($parts);
            $owner = $key !== '' && $key[0] === "\0" ? $parts[1] : '';
            if (isset(self::OWN[$name]) || $owner === 'Exception' || $owner === 'Error') {
                continue;
            }
            if ($owner === '' && !\property_exists($class, $name)) {
                continue; // not declared
            }
            if ($owner === $class || !\array_key_exists($name, $properties)) {
                $properties[$name] = self::safe($value);
            }
        }
        return $properties;
    }

    /** A value for the wire; where it cannot cross, a text that says so. */
    private static function safe($value)
    {
        try {
            return Values::out($value, self::DEPTH);
        } catch (\UnexpectedValueException $e) {
            return '(' . $e->getMessage() . ')';
        }
    }

    private static function build(string $class, string $message, int $code, array $properties): ?\Throwable
    {
        if (!\class_exists($class) || !\is_subclass_of($class, \Throwable::class) && $class !== \Exception::class && $class !== \Error::class) {
            return null;
        }
        $reflection = new \ReflectionClass($class);
        if (!$reflection->isInstantiable() || !self::hasShape($reflection->getConstructor())) {
            return null;
        }
        $e = new $class($message, $code);
        if ($e->getMessage() !== $message || $e->getCode() !== $code) {
            return null;
        }
        foreach ($properties as $name => $value) {
            $name = (string) $name;
            if ($name === 'previous') {
                self::chain($e, $value);
            } elseif ($name === 'code' || !isset(self::OWN[$name])) {
                self::set($reflection, $e, $name, $value);
            }
        }
        return $e;
    }

    /** Whether it takes ($message, $code) and needs no more. */
    private static function hasShape(\ReflectionMethod $constructor): bool
    {
        $params = $constructor->getParameters();
        return \count($params) >= 2 && $constructor->getNumberOfRequiredParameters() <= 2
            && self::takes($params[0], 'string') && self::takes($params[1], 'int');
    }

    private static function takes(\ReflectionParameter $param, string $type): bool
    {
        if ($param->isVariadic() || $param->isPassedByReference()) {
            return false;
        }
        return !$param->hasType() || \preg_match("/(^|[?|])($type|mixed)(\$|\\|)/", self::typeName($param->getType())) === 1;
    }

    private static function typeName(\ReflectionType $type): string
    {
        return $type instanceof \ReflectionNamedType ? $type->getName() : (string) $type;
    }

    /** Sets the property that this name has in the class or, if private there, in a parent. Others are left out. */
    private static function set(\ReflectionClass $class, \Throwable $e, string $name, $value): void
    {
        for (; $class; $class = $class->getParentClass()) {
            if ($class->hasProperty($name)) {
                $property = $class->getProperty($name);
                if (!$property->isStatic()) {
                    if (\PHP_VERSION_ID < 80100) {
                        $property->setAccessible(true);
                    }
                    $property->setValue($e, $value);
                }
                return;
            }
        }
    }

    /** Hangs the described chain below the exception. */
    private static function chain(\Throwable $e, $previous): void
    {
        if (!\is_array($previous) || !isset($previous['class'], $previous['message'])) {
            return;
        }
        $properties = $previous['properties'] ?? [];
        $cause = self::revive((string) $previous['class'], (string) $previous['message'], (int) ($previous['code'] ?? 0), \is_array($properties) ? $properties : []);
        self::set(self::root($e), $e, 'previous', $cause);
    }

    /** The class that declares message, code, trace and previous. */
    private static function root(\Throwable $e): \ReflectionClass
    {
        return new \ReflectionClass($e instanceof \Error ? \Error::class : \Exception::class);
    }
}
