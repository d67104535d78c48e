<?php
/* Handles: objects that the host owns and PHP holds stubs of, and objects that PHP holds for the host. */

namespace Phpwire;

/** What all stubs of one rhandle share. */
final class RustHandle
{
    public $id;
    public $class;
    public $epoch;
    /** Answers to methods without arguments, by name; null when there is none or it is out of date. */
    public $snapshot;
    /** Stubs that live. Where PHP has WeakReference there is one at a time, and its copies. */
    public $stubs = 0;
    /** WeakReference to the stub; null on PHP 7.2 and 7.3, where every descriptor makes a stub of its own. */
    public $stub;
}

final class RustHandles
{
    /** @var RustHandle[] by rhandle */
    private static $living = [];

    /** The stub for a descriptor: the one that lives, or a new one. */
    public static function stub(array $d): Proxy
    {
        $snapshot = $d['__snapshot'] ?? null;
        if (!isset($d['__rhandle'], $d['__class'], $d['__epoch']) || \count($d) !== 3 + \array_key_exists('__snapshot', $d)
            || !\is_int($d['__rhandle']) || $d['__rhandle'] < 0 || !\is_string($d['__class'])
            || !\is_int($d['__epoch']) || $d['__epoch'] < 0 || (\array_key_exists('__snapshot', $d) && !\is_array($snapshot))) {
            Frames::violation('an array with __rhandle that is no descriptor: its keys are ' . keys($d));
        }
        $handle = self::$living[$d['__rhandle']] ?? null;
        if ($handle === null) {
            $handle = new RustHandle();
            $handle->id = $d['__rhandle'];
            $handle->class = $d['__class'];
            $handle->epoch = $d['__epoch'];
            $handle->snapshot = $snapshot;
        } else {
            if ($handle->class !== $d['__class']) {
                Frames::violation("__rhandle $handle->id is a $handle->class and cannot become a {$d['__class']}");
            }
            if ($d['__epoch'] > $handle->epoch || ($d['__epoch'] === $handle->epoch && $snapshot !== null)) {
                $handle->epoch = $d['__epoch'];
                $handle->snapshot = $snapshot;
            }
            $stub = $handle->stub === null ? null : $handle->stub->get();
            if ($stub !== null) {
                return $stub;
            }
        }
        // Loading the class may ask the host, which may send this very descriptor: only now is it known as living.
        $class = self::stubClass($handle->class);
        $handle = self::$living[$handle->id] ?? $handle;
        $stub = $handle->stub === null ? null : $handle->stub->get();
        if ($stub === null) {
            $stub = (new \ReflectionClass($class))->newInstanceWithoutConstructor();
            self::$living[$handle->id] = $handle;
            $handle->stubs++;
            $stub->__phpwireBind($handle);
            if (\PHP_VERSION_ID >= 70400) {
                $handle->stub = \WeakReference::create($stub);
            }
        }
        return $stub;
    }

    /** A stub more: a copy. */
    public static function retain(RustHandle $handle): void
    {
        $handle->stubs++;
    }

    /** A stub less. With the last one the host may let go of its object. */
    public static function release(RustHandle $handle): void
    {
        if (--$handle->stubs === 0) {
            unset(self::$living[$handle->id]);
            Frames::write(RELEASE_RUST_HANDLE, 0, \serialize([$handle->id]));
        }
    }

    /** The host's object has changed: what was remembered of it no longer holds. Unknown handles have no stub left. */
    public static function bump(int $id, int $epoch): void
    {
        $handle = self::$living[$id] ?? null;
        if ($handle !== null && $epoch >= $handle->epoch) {
            $handle->epoch = $epoch;
            $handle->snapshot = null;
        }
    }

    /** The class whose instance stands for the host's object: a stub of its name, or one for any class. */
    private static function stubClass(string $class): string
    {
        return \class_exists($class) && \is_subclass_of($class, Proxy::class) ? $class : AnyProxy::class;
    }
}

final class PhpObjects
{
    /** @var object[] by phandle */
    private static $held = [];
    /** @var int[] phandles by spl_object_id(), of objects that are held */
    private static $ids = [];
    /** Numbers are never used again. */
    private static $last = 0;

    /** The object's descriptor. The object is held, under one handle, until the host releases it. */
    public static function descriptor($object): array
    {
        $key = \spl_object_id($object);
        if (!isset(self::$ids[$key])) {
            self::$ids[$key] = ++self::$last;
            self::$held[self::$last] = $object;
        }
        $implements = \array_values(\class_implements($object, false));
        \sort($implements);
        return ['__phandle' => self::$ids[$key], '__class' => \get_class($object), '__implements' => $implements];
    }

    public static function get(int $id)
    {
        if (!isset(self::$held[$id])) {
            throw new \OutOfBoundsException("phandle $id is unknown or was released");
        }
        return self::$held[$id];
    }

    public static function fromDescriptor(array $d)
    {
        if (\count($d) !== 3 || !isset($d['__phandle'], $d['__class'], $d['__implements'])
            || !\is_int($d['__phandle']) || $d['__phandle'] < 0 || !\is_string($d['__class']) || !\is_array($d['__implements'])
            || !isList($d['__implements']) || \array_filter($d['__implements'], 'is_string') !== $d['__implements']) {
            Frames::violation('an array with __phandle that is no descriptor: its keys are ' . keys($d));
        }
        return self::get($d['__phandle']);
    }

    /** Lets go of the object; its destructor may run. What is not held stays so. */
    public static function release(int $id): void
    {
        if (isset(self::$held[$id])) {
            unset(self::$ids[\spl_object_id(self::$held[$id])]);
            unset(self::$held[$id]);
        }
    }
}

/** The keys of an array, for a message. */
function keys(array $a): string
{
    return \implode(', ', \array_slice(\array_keys($a), 0, 8)) . (\count($a) > 8 ? ', …' : '');
}
