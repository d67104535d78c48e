<?php
/* Proxies: PHP objects that stand for an object of the host. */

namespace Phpwire;

interface Proxy
{
    public function __phpwireBind(RustHandle $handle): void;

    public function __phpwireDescriptor(): array;
}

/** What every stub class has; its own methods only pass their name and arguments to __phpwireCall(). */
trait ProxyMethods
{
    /** @var RustHandle|null */
    private $__phpwireHandle;

    final public function __phpwireBind(RustHandle $handle): void
    {
        $this->__phpwireHandle = $handle;
    }

    final public function __phpwireDescriptor(): array
    {
        $h = $this->__phpwireHandle();
        return ['__rhandle' => $h->id, '__class' => $h->class, '__epoch' => $h->epoch];
    }

    /**
     * Calls the host's object. A method without arguments is answered from the snapshot when it is there.
     * Arguments at $outParamPositions that are references are assigned what the host gives back.
     */
    final protected function __phpwireCall(string $method, array $args = [], array $outParamPositions = [])
    {
        $h = $this->__phpwireHandle();
        if ($args === [] && $h->snapshot !== null && \array_key_exists($method, $h->snapshot)) {
            return $h->snapshot[$method];
        }
        return callRust($h->id, $method, $args, $outParamPositions);
    }

    private function __phpwireHandle(): RustHandle
    {
        if ($this->__phpwireHandle === null) {
            throw new \LogicException(\get_class($this) . ' stands for an object of the host and comes from there only');
        }
        return $this->__phpwireHandle;
    }

    public function __clone()
    {
        RustHandles::retain($this->__phpwireHandle());
    }

    public function __destruct()
    {
        if ($this->__phpwireHandle !== null) {
            RustHandles::release($this->__phpwireHandle);
        }
    }

    public function __sleep()
    {
        throw new \LogicException(\get_class($this) . ' stands for an object of the host and cannot be serialized');
    }
}

/** Stands for an object whose class has no stub here. */
final class AnyProxy implements Proxy
{
    use ProxyMethods;

    public function __call(string $method, array $args)
    {
        return $this->__phpwireCall($method, $args);
    }
}
