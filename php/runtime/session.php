<?php
/* The session: serving the host, waiting for its replies, and serving it meanwhile. */

namespace Phpwire;

final class Session
{
    private static $lastId = 0;
    /** @var array<int, array|null> calls to the host by id: null while it owes the reply, else the frame */
    private static $replies = [];

    /**
     * Serves the host until the reply to $awaited is there, and gives that frame; with 0 until the stream ends.
     */
    public static function serve(int $awaited): ?array
    {
        while (true) {
            $frame = Frames::read();
            if ($frame === null) {
                if ($awaited === 0) {
                    return null;
                }
                exit(0);
            }
            $tag = $frame[0];
            if ($tag === RETURN_VALUE || $tag === THROW_EXCEPTION) {
                self::reply($frame);
            } else {
                Calls::answer($tag, $frame[1], $frame[2], $frame[3]);
            }
            $frame = null;
            if (isset(self::$replies[$awaited])) {
                $reply = self::$replies[$awaited];
                unset(self::$replies[$awaited]);
                return $reply;
            }
        }
    }

    /** Sends a call to the host and gives the frame that replies to it, fields checked. */
    public static function call(string $payload): array
    {
        $id = self::$lastId += 2;
        self::$replies[$id] = null;
        Frames::write(CALL_RUST_METHOD, $id, $payload);
        return self::serve($id);
    }

    private static function reply(array $frame): void
    {
        list($tag, $id, $fields) = $frame;
        if (!\array_key_exists($id, self::$replies) || self::$replies[$id] !== null) {
            Frames::violation(\sprintf('%s with id %u, which replies to no call', name($tag), $id));
        }
        Fields::check($tag, $fields);
        self::$replies[$id] = $frame;
    }
}

/**
 * Calls a method of an object of the host and gives its result; the host's failure is thrown as the class it names.
 * Handle 0 is the host itself. Arguments at $outParamPositions that are references are assigned what the host
 * gives back: callRust(3, 'parse', [$text, &$rest], [1]).
 */
function callRust(int $rhandle, string $method, array $args = [], array $outParamPositions = [])
{
    foreach ($outParamPositions as $position) {
        if (!\is_int($position) || $position < 0 || $position >= \count($args)) {
            throw new \InvalidArgumentException("callRust: $method has no argument " . \var_export($position, true) . ' to give back');
        }
    }
    $args = \array_values($args);
    $fields = [$rhandle, $method, [], \array_values($outParamPositions)];
    foreach ($args as $arg) {
        $fields[2][] = Values::out($arg);
    }
    $payload = Values::payload($fields);
    unset($fields, $arg);
    list($tag, , $fields, $marked) = Session::call($payload);
    if ($tag === THROW_EXCEPTION) {
        $properties = $fields[3] ?? [];
        throw Throwables::revive($fields[0], $fields[1], $fields[2], $marked ? \array_map([Values::class, 'in'], $properties) : $properties);
    }
    foreach ($fields[1] as $position => $value) {
        if (!\in_array($position, $outParamPositions, true)) {
            Frames::violation("Return (0x05): field 1 \"out_params\" has position $position, which the call did not name");
        }
        $args[$position] = $marked ? Values::in($value) : $value;
    }
    return $marked ? Values::in($fields[0]) : $fields[0];
}
