<?php
/* Helpers: the names that CallFunction knows before it looks for a PHP function. */

namespace Phpwire;

final class Helpers
{
    /** Their arguments and results cross as they are: no handles in them, no walk over them. */
    const RAW = [
        '__phpwire_hello' => 'Phpwire\hello',
        '__phpwire_reserialize' => 'Phpwire\reserialize',
        '__phpwire_accepted' => 'Phpwire\Enumerate::accepted',
        '__phpwire_describe' => 'Phpwire\Describe::joined',
        '__phpwire_build' => 'Phpwire\Build::joined',
        '__phpwire_compare_payloads' => 'Phpwire\Compare::payloads',
        '__phpwire_compare_values' => 'Phpwire\Compare::values',
        '__phpwire_floats' => 'Phpwire\serializeFloats',
        '__phpwire_float_texts' => 'Phpwire\floatTexts',
        '__phpwire_parse_floats' => 'Phpwire\parseFloats',
        '__phpwire_time' => 'Phpwire\timeInside',
        '__phpwire_time_alone' => 'Phpwire\timeAlone',
        '__phpwire_ping_pong' => 'Phpwire\Frames::pingPong',
        '__phpwire_phpinfo' => 'Phpwire\phpinfoText',
        '__phpwire_echo' => 'Phpwire\Helpers::same',
        '__phpwire_misbehave' => 'Phpwire\misbehave',
        '__shirabe_oracle_roundtrip' => 'Phpwire\Helpers::same',
        'diagnose' => 'Phpwire\diagnose',
    ];

    /** Called like any PHP function. */
    const ORDINARY = [
        '__shirabe_eval' => 'Phpwire\evalSnippet',
        '__shirabe_require' => 'Phpwire\requireFile',
        '__shirabe_enable_script_autoloader' => 'Phpwire\enableScriptAutoloader',
        'constant' => 'Phpwire\constantValue',
    ];

    public static function same($value)
    {
        return $value;
    }
}
