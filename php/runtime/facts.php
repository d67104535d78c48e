<?php
/* Facts: what this PHP is. */

namespace Phpwire;

/** Who answers here, in a map; what matters to the wire is found by asking, not by version. */
function hello(): array
{
    return [
        'protocol' => 1,
        'php' => \PHP_VERSION,
        'version_id' => \PHP_VERSION_ID,
        'int_size' => \PHP_INT_SIZE,
        // Where size_t has 32 bits, a length of 2^32 + 1 is a length of 1.
        'size_t_bits' => reserialize('s:4294967297:"a";', "\n") === ['s:1:"a";'] ? 32 : 64,
        'os' => \PHP_OS,
        'machine' => \php_uname('m'),
        'sapi' => \PHP_SAPI,
        'pid' => \getmypid(),
        'extensions' => \get_loaded_extensions(),
        'weak_reference' => \class_exists('WeakReference', false),
        'enums' => \function_exists('enum_exists'),
        'octal_ints' => reserialize('i:010;', "\n") === ['i:8;'],
        'extra_data_warns' => !\is_string(reserialize('i:1;x', "\n")[0]),
    ];
}

/** What a person who looks into a problem wants to know about this PHP. */
function diagnose(): array
{
    $extensions = [];
    foreach (\get_loaded_extensions() as $name) {
        $extensions[$name] = (string) \phpversion($name);
    }
    return [
        'php_version' => \PHP_VERSION,
        'php_version_id' => \PHP_VERSION_ID,
        'php_sapi' => \PHP_SAPI,
        'php_binary' => \PHP_BINARY,
        'php_os' => \PHP_OS,
        'uname' => \php_uname(),
        'int_size' => \PHP_INT_SIZE,
        'ini_file' => \php_ini_loaded_file(),
        'memory_limit' => \ini_get('memory_limit'),
        'serialize_precision' => \ini_get('serialize_precision'),
        'extensions' => $extensions,
        'openssl' => \defined('OPENSSL_VERSION_TEXT') ? \OPENSSL_VERSION_TEXT : null,
        'curl' => \function_exists('curl_version') ? \curl_version()['version'] : null,
    ];
}

/** constant(), but an unknown name is an error on every version, never null. */
function constantValue(string $name)
{
    if (!\defined($name)) {
        throw new \OutOfBoundsException("undefined constant $name");
    }
    return \constant($name);
}

function phpinfoText(int $flags = -1): string
{
    \ob_start();
    \phpinfo($flags);
    return (string) \ob_get_clean();
}
