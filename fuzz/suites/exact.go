package suites

import (
	"bytes"
	"math/big"
)

// exact writes m * 2^e in full, with a point where it has a fraction.
func exact(m uint64, e int) []byte {
	n := new(big.Int).SetUint64(m)
	if e >= 0 {
		return n.Lsh(n, uint(e)).Append(nil, 10)
	}
	// m / 2^k is m * 5^k / 10^k.
	k := -e
	n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(k)), nil))
	digits := n.Append(nil, 10)
	if len(digits) <= k {
		digits = append(bytes.Repeat([]byte{'0'}, k-len(digits)+1), digits...)
	}
	point := len(digits) - k
	return append(append(append([]byte{}, digits[:point]...), '.'), digits[point:]...)
}
