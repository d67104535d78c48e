<?php

namespace Composer\Script;

class Event extends \Composer\EventDispatcher\Event
{
    public function __construct($name, $composer, $io, $devMode = false, array $args = [], array $flags = [])
    {
        throw new \LogicException('Composer\Script\Event stands for an object of the host and comes from there only');
    }

    public function getComposer()
    {
        return $this->__phpwireCall('getComposer');
    }

    public function getIO()
    {
        return $this->__phpwireCall('getIO');
    }

    public function isDevMode()
    {
        return $this->__phpwireCall('isDevMode');
    }

    public function getOriginatingEvent()
    {
        return $this->__phpwireCall('getOriginatingEvent');
    }

    public function setOriginatingEvent($event)
    {
        return $this->__phpwireCall('setOriginatingEvent', [$event]);
    }
}
