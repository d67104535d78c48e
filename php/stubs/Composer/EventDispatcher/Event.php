<?php

namespace Composer\EventDispatcher;

class Event implements \Phpwire\Proxy
{
    use \Phpwire\ProxyMethods;

    public function __construct($name, array $args = [], array $flags = [])
    {
        throw new \LogicException('Composer\EventDispatcher\Event stands for an object of the host and comes from there only');
    }

    public function getName()
    {
        return $this->__phpwireCall('getName');
    }

    public function getArguments()
    {
        return $this->__phpwireCall('getArguments');
    }

    public function getFlags()
    {
        return $this->__phpwireCall('getFlags');
    }

    public function isPropagationStopped()
    {
        return $this->__phpwireCall('isPropagationStopped');
    }

    public function stopPropagation()
    {
        $this->__phpwireCall('stopPropagation');
    }
}
