// Package codec is the reference codec of the PHP wire: the serialize()
// grammar restricted to plugin values, as docs/protocol.md lays it down.
//
// The package has two layers. The syntax layer ([Scanner]) cuts a payload into
// tokens with offsets and knows the whole grammar of PHP's unserialize():
//
//	value   = "N;" | "b:" ("0" | "1") ";" | "i:" int ";" | "d:" double ";"
//	        | string | array | object | reference
//	string  = "s:" length ":" '"' bytes '"' ";"  |  "S:" length ":" '"' escaped '"' ";"
//	array   = "a:" count ":{" { key value } "}"
//	key     = "i:" int ";" | string
//	int     = [ "+" | "-" ] digit { digit }
//	length  = digit { digit }
//
// The meaning layer ([Decode], [Encode]) maps tokens to a [Value] and back, under
// a [Profile]. The decoder and [ParseTagged] have quick readers for the spelling
// that is written nearly always, and go to the readers of every spelling, which
// also make the errors, with all else. Values are compared with [Value.Equal], printed with
// [Value.String], and exchanged with other tools as tagged JSON
// ([AppendTagged], [ParseTagged]).
package codec
