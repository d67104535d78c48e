<?php
/*
 * The child side of the wire: serves one host over one stream until the stream ends.
 *
 *     php -n -d serialize_precision=-1 -d memory_limit=2G -d display_errors=stderr worker.php STREAM
 *
 * STREAM is what stream_socket_client takes ("unix:///…", "tcp://…"), or the path of a device to open.
 * Runs on PHP 7.2 to 8.5 from this one source.
 *
 * FRAME    u64 LE length of what follows (9 … 268435456), u8 tag, u64 LE correlation id,
 *          then serialize() of the list of fields, and not one byte more.
 *
 *   tag   name               from   fields
 *   0x00  CallFunction       host   function_name, args, out_param_positions
 *   0x01  CallStaticMethod   host   pclass, method_name, args, out_param_positions
 *   0x02  NewObject          host   pclass, ctor_args
 *   0x03  CallPhpMethod      host   phandle, method_name, args, out_param_positions
 *   0x04  CallRustMethod     PHP    rhandle, method_name, args, out_param_positions
 *   0x05  Return             both   value, out_params (position => value)
 *   0x06  Throw              both   exception_class, message, code, properties (three are accepted coming in)
 *   0x07  ReleaseRustHandle  PHP    rhandle
 *   0x08  ReleasePhpHandle   host   phandle
 *   0x09  EpochBump          host   rhandle, epoch
 *
 * IDS      A host's calls carry odd ids, PHP's calls even ones from 2 on, one-way frames (0x07 0x08 0x09) 0.
 * NESTING  While PHP waits for a reply it serves what the host asks, to any depth. Replies find their call by id.
 * VALUES   Handles cross as reserved arrays: {__rhandle, __class, __epoch[, __snapshot]} becomes a proxy stub
 *          in PHP, {__phandle, __class, __implements} the object that PHP holds, {__pclass} a class name.
 *          Helpers named __phpwire_… and __shirabe_oracle_roundtrip take and give their values as they are.
 * RELEASES stand before the reply to the call that they happen in, and that reply may still name the handle:
 *          a host lets go of its object when it has read the reply. On PHP 7.2 and 7.3, which have no weak
 *          references, each descriptor makes a stub of its own (=== does not hold); the last one releases.
 * PLUGINS  call the host through a stub's methods or \Phpwire\callRust(); handle 0 is the host's runtime service.
 * FAILURE  Whatever a call throws is a Throw. A frame that breaks this protocol: one line on stderr, exit status 70.
 *          The stream ends between two frames: exit status 0; inside a frame: the line and 70.
 */

namespace Phpwire;

foreach (['frames', 'warnings', 'values', 'handles', 'proxy', 'throwables', 'fields', 'session', 'calls', 'scripts', 'facts',
    'reserialize', 'enumerate', 'describe', 'build', 'compare', 'floats', 'timing', 'misbehave', 'helpers'] as $file) {
    require __DIR__ . "/runtime/$file.php";
}
unset($file);

\error_reporting(-1);
\ignore_user_abort(true); // a closed stdout must not end the child
\set_time_limit(0);
registerStubs(__DIR__ . '/stubs');

if (!isset($argv[1])) {
    \file_put_contents('php://stderr', "usage: php worker.php STREAM\n");
    exit(64);
}
Frames::open($argv[1]);
Session::serve(0);
exit(0); // said: output that found stdout closed would have made it 255
