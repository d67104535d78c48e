<?php
/* Misbehave: what a supervisor must survive, on request. */

namespace Phpwire;

function misbehave(string $how): bool
{
    switch ($how) {
        case 'exit':
            exit(3);
        case 'sleep':
            while (true) {
                \sleep(3600);
            }
        case 'stdout':
            echo \str_repeat('x', 1048576);
            return true;
        case 'memory':
            for ($hog = []; true;) {
                $hog[] = \str_repeat('x', 1048576);
            }
        case 'kill':
            if (\function_exists('posix_kill')) {
                \posix_kill(\getmypid(), 9);
            }
            if (\function_exists('exec')) {
                @\exec('kill -9 ' . \getmypid());
            }
            exit(137);
        case 'half-frame':
            Frames::put(\substr(\pack('PCP', 1000, RETURN_VALUE, 1) . 'a:2:{i:0;', 0, 21));
            exit(0);
        case 'garbage':
            Frames::put('these bytes are no frame of any kind');
            return true;
    }
    throw new \InvalidArgumentException("no such misbehaviour: $how");
}
