// Package ports judges implementations of PHP's wire codec, in any language. A
// port is a program that reads questions and writes answers, one JSON object a
// line (docs/ports.md); [Serve] is that program's loop for one in Go.
//
// [Check] starts copies of a port and puts the regression corpus before it, then
// payloads and values that are generated and judged by a live PHP. Each case ends
// with one verdict. A port that crashes, hangs or prints noise gets that as the
// case's verdict; it is started again, and the run goes on.
package ports
