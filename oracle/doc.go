// Package oracle keeps live PHP children and asks them the questions that only
// PHP can answer, through the plugin protocol itself.
//
// [Find] looks for PHPs: native binaries and WebAssembly builds. A [Client]
// keeps one child of a [Runtime] alive: it starts it when it is needed and again
// after it died. A [Session] is one logical call session on it. [Pool] has
// several clients of one PHP.
//
// Errors come in two lanes (docs/protocol.md, part E). A [*Throw] is a PHP
// exception: the child goes on. A [*FatalError] is the end of the child: it
// died, broke the framing, or did not answer in time.
package oracle
