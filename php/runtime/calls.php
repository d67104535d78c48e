<?php
/* Calls: what the host asks for, done and answered. */

namespace Phpwire;

final class Calls
{
    /** @var \Closure[] the raw helpers that were called so far: to find one by its name takes longer than to call it */
    private static $helpers = [];

    /** Does what the frame asks for. Whatever is thrown on the way is the answer. */
    public static function answer(int $tag, int $id, array $fields, bool $marked): void
    {
        $oneWay = $tag === RELEASE_PHP_HANDLE || $tag === EPOCH_BUMP;
        if ($tag > CALL_PHP_METHOD && !$oneWay) {
            Frames::violation(name($tag) . ' is nothing that a host sends');
        }
        if ($oneWay ? $id !== 0 : ($id & 1) === 0) {
            Frames::violation(\sprintf('%s with id %u, %s', name($tag), $id, $oneWay ? 'a one-way frame has 0' : 'a host counts in odd numbers'));
        }
        Fields::check($tag, $fields);
        try {
            // Everything a call holds is gone when its function returns: releases stand before the reply.
            $payload = self::perform($tag, $fields, $marked);
            $tag = RETURN_VALUE;
        } catch (\Throwable $e) {
            $payload = $oneWay ? '' : Throwables::payload($e);
            if ($oneWay) { // nobody waits for an answer
                Frames::complain('a destructor threw ' . Warnings::exception($e));
            }
            self::drop($e);
            $tag = THROW_EXCEPTION;
        }
        if (!$oneWay) {
            Frames::write($tag, $id, $payload);
        }
    }

    private static function perform(int $tag, array $fields, bool $marked): string
    {
        switch ($tag) {
            case CALL_FUNCTION:
                $name = $fields[0];
                $helper = self::$helpers[$name] ?? null;
                if ($helper === null && isset(Helpers::RAW[$name])) {
                    $helper = self::$helpers[$name] = \Closure::fromCallable(Helpers::RAW[$name]);
                }
                if ($helper !== null) {
                    $result = $helper(...$fields[1]);
                    unset($fields);
                    $payload = \serialize([$result, []]);
                    return \strlen($payload) > MAX_PAYLOAD ? Values::payload([$result, []]) : $payload;
                }
                if (isset(Helpers::ORDINARY[$name])) {
                    $name = Helpers::ORDINARY[$name];
                } elseif (!\function_exists($name)) {
                    throw new \BadFunctionCallException("unknown function $name");
                }
                return self::call($name, $fields[1], $fields[2], $marked);
            case CALL_STATIC_METHOD:
                if (!\class_exists($fields[0]) && !\interface_exists($fields[0], false) && !\trait_exists($fields[0], false)) {
                    throw new \BadMethodCallException("unknown class $fields[0]");
                }
                if (!\is_callable([$fields[0], $fields[1]])) {
                    throw new \BadMethodCallException("no public static method $fields[0]::$fields[1]");
                }
                return self::call([$fields[0], $fields[1]], $fields[2], $fields[3], $marked);
            case CALL_PHP_METHOD:
                $target = [PhpObjects::get($fields[0]), $fields[1]];
                if (!\is_callable($target)) {
                    throw new \BadMethodCallException('no public method ' . \get_class($target[0]) . "::$fields[1]");
                }
                return self::call($target, $fields[2], $fields[3], $marked);
            case NEW_OBJECT:
                if (!\class_exists($fields[0])) {
                    throw new \BadMethodCallException("unknown class $fields[0]");
                }
                $args = $marked ? \array_map([Values::class, 'in'], $fields[1]) : $fields[1];
                return Values::payload([Values::out(new $fields[0](...$args)), []]);
            case RELEASE_PHP_HANDLE:
                PhpObjects::release($fields[0]);
                break;
            case EPOCH_BUMP:
                RustHandles::bump($fields[0], $fields[1]);
        }
        return '';
    }

    private static function call($target, array $args, array $outParams, bool $marked): string
    {
        if ($marked) {
            foreach ($args as $i => $arg) {
                $args[$i] = Values::in($arg);
            }
            unset($arg);
        }
        foreach ($outParams as $position) {
            if ($position >= \count($args) + \count($outParams)) {
                throw new \OutOfRangeException("out_param_positions names argument $position of " . \count($args));
            }
        }
        while ($outParams && \count($args) <= \max($outParams)) {
            $args[] = null;
        }
        // Unpacked, an argument goes by reference wherever the parameter wants one, and comes back in $args.
        $result = Values::out($target(...$args));
        $out = [];
        foreach ($outParams as $position) {
            $out[$position] = Values::out($args[$position]);
        }
        unset($args);
        return Values::payload([$result, $out]);
    }

    /** Lets go of an exception whose trace may hold the last reference to objects with destructors that throw. */
    private static function drop(\Throwable &$e): void
    {
        while ($e !== null) {
            try {
                $e = null;
            } catch (\Throwable $next) {
                Frames::complain('a destructor threw ' . Warnings::exception($next));
                $e = $next;
                $next = null;
            }
        }
    }
}
