<?php
/* Scripts: code that the host has PHP run, and where its classes come from. */

namespace Phpwire;

/** Runs a snippet of PHP, without an opening tag, in a scope of its own; gives what it returns. */
function evalSnippet(string $code)
{
    return (static function () {
        return eval(\func_get_arg(0));
    })($code);
}

/** require_once; a file that cannot be read is an exception, where PHP itself would end. */
function requireFile(string $file): void
{
    if (!\is_file($file) || !\is_readable($file)) {
        throw new \RuntimeException("cannot read $file");
    }
    (static function () {
        require_once \func_get_arg(0);
    })($file);
    registerStubs(); // an autoloader that the file has put in front must not hide a stub
}

/** Lets the host say where a class is, for classes that nothing before could load. */
function enableScriptAutoloader(): bool
{
    static $enabled = false;
    if (!$enabled) {
        \spl_autoload_register(static function (string $class): void {
            $file = callRust(0, '__shirabe_find_file', [$class]);
            if (\is_string($file)) {
                require_once $file;
            }
        });
        $enabled = true;
    }
    return true;
}

/**
 * Puts the autoloader of the proxy stubs before all others. Given their folder, the first time, it reads them all:
 * the folder may be gone once the child runs.
 */
function registerStubs(?string $folder = null): void
{
    static $load = null;
    if ($load === null) {
        $sources = [];
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($folder, \FilesystemIterator::SKIP_DOTS));
        foreach ($files as $file) {
            $class = \strtr(\substr($file->getPathname(), \strlen($folder) + 1, -\strlen('.php')), '/', '\\');
            $sources[$class] = \file_get_contents($file->getPathname());
        }
        $load = static function (string $class) use ($sources): void {
            if (isset($sources[$class])) {
                eval('?>' . $sources[$class]);
            }
        };
    } else {
        \spl_autoload_unregister($load);
    }
    \spl_autoload_register($load, true, true);
}
