// Package floatfmt writes and reads doubles as PHP does: the text after "d:" in
// serialize()'s output, and its relatives in var_export() and json_encode().
//
// PHP's texts differ from strconv's in notation (1.0E+25, 1.0E-5, 0.0001,
// 100000) and in the words INF, -INF and NAN. A precision, here and in PHP's
// serialize_precision, is -1 for the shortest text that reads back as the same
// double, or the number of significant digits to round to.
package floatfmt

import "bytes"

// AppendFloat appends what PHP's serialize() writes for f between "d:" and ";"
// under serialize_precision=precision, and returns the extended buffer.
//
// A negative precision (PHP knows only -1) writes the shortest text that reads
// back as f. Any other rounds the exact binary value to that many significant
// digits, ties to even, and drops trailing zeros; 0 rounds to one digit. A
// number below 0.0001, or with more digits before the point than precision (17
// for the shortest text) takes an exponent. The text is at most 24 bytes long
// for precisions up to 17, and 774 for any, since no double has more than 767
// significant digits.
//
// Like PHP, precisions under 4 cut the words INF, -INF and NAN to as many
// bytes: such texts, "" among them, do not read back.
func AppendFloat(dst []byte, f float64, precision int) []byte {
	if precision < 0 {
		return appendShortest(dst, f, 'E')
	}
	return appendRounded(dst, f, precision, 'E')
}

// AppendVarExport appends what PHP's var_export() writes for f under
// serialize_precision=precision: AppendFloat's text with ".0" after a finite
// number that has no point. Here precision 0 is the same as 1, as it is from PHP
// 8.1 on; older ones leave it 0 (1.0E+0). Nothing else here depends on PHP's
// version, from 7.2 to 8.5.
func AppendVarExport(dst []byte, f float64, precision int) []byte {
	if precision == 0 {
		precision = 1
	}
	start := len(dst)
	dst = AppendFloat(dst, f, precision)
	if isFinite(f) && bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, '.', '0')
	}
	return dst
}

// AppendJSON appends what PHP's json_encode() writes for f under
// serialize_precision=precision: AppendFloat's text with a small "e". JSON has
// no infinities and no NaN: for these ok is false and dst comes back as it was.
func AppendJSON(dst []byte, f float64, precision int) (_ []byte, ok bool) {
	switch {
	case !isFinite(f):
		return dst, false
	case precision < 0:
		return appendShortest(dst, f, 'e'), true
	}
	return appendRounded(dst, f, precision, 'e'), true
}

// Canonical reports whether text is exactly what AppendFloat writes for f with
// precision -1. A decoder that has just parsed f from text learns from it
// whether PHP would have written the same bytes.
func Canonical(text []byte, f float64) bool {
	var buf [32]byte
	return bytes.Equal(appendShortest(buf[:0], f, 'E'), text)
}
