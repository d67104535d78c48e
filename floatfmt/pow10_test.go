package floatfmt

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// scaled returns 2^exp * ratio.
func scaled(exp int, ratio *big.Rat) *big.Rat {
	two := new(big.Int).Lsh(big.NewInt(1), uint(max(exp, -exp)))
	if exp < 0 {
		return new(big.Rat).Quo(ratio, new(big.Rat).SetInt(two))
	}
	return new(big.Rat).Mul(ratio, new(big.Rat).SetInt(two))
}

func pow10Rat(e int) *big.Rat {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), ten)
	}
	return new(big.Rat).SetInt(ten)
}

// requireBetween checks low <= x < high.
func requireBetween(t *testing.T, low, x, high *big.Rat, what string, e int) {
	t.Helper()
	require.True(t, low.Cmp(x) <= 0 && x.Cmp(high) < 0, "%s %d", what, e)
}

func TestPow10Table(t *testing.T) {
	require.Len(t, pow10Table, pow10Max-pow10Min+1)
	for e := pow10Min; e <= pow10Max; e++ {
		p := pow10Table[e-pow10Min]
		require.True(t, p.hi>>63 == 1, "10^%d is not normalized", e)
		require.False(t, p.lo == math.MaxUint64, "10^%d cannot be rounded up", e)
		exact := scaled(127-floorLog2Pow10(e), pow10Rat(e))
		floor := big.NewInt(0).SetUint64(p.hi)
		floor.Lsh(floor, 64).Or(floor, new(big.Int).SetUint64(p.lo))
		low := new(big.Rat).SetInt(floor)
		requireBetween(t, low, exact, new(big.Rat).Add(low, big.NewRat(1, 1)), "entry", e)
		require.Equal(t, uint128{p.hi, p.lo + 1}, pow10Above(e))
	}
}

func TestLogarithms(t *testing.T) {
	one, threeQuarters := big.NewRat(1, 1), big.NewRat(3, 4)
	for e := -1100; e <= 1100; e++ {
		k := floorLog10Pow2(e)
		requireBetween(t, pow10Rat(k), scaled(e, one), pow10Rat(k+1), "log10 2^", e)
		k = floorLog10ThreeQuartersPow2(e)
		requireBetween(t, pow10Rat(k), scaled(e, threeQuarters), pow10Rat(k+1), "log10 3/4 2^", e)
	}
	for e := -400; e <= 400; e++ {
		k := floorLog2Pow10(e)
		requireBetween(t, scaled(k, one), pow10Rat(e), scaled(k+1, one), "log2 10^", e)
	}
	for n, p := range smallPow10[1:] {
		require.Equal(t, n+1, decimalLen(p-1))
		require.Equal(t, n+2, decimalLen(p))
	}
}

// The fast ways must agree with the exact one, or give up.
func TestFastPathsAgreeWithExact(t *testing.T) {
	gaveUp := 0
	for mant := uint64(1); mant < 1<<63; mant = mant*7 + 3 {
		for exp := -345; exp <= 310; exp++ {
			text := []byte{}
			for v := mant; v > 0; v /= 10 {
				text = append([]byte{byte('0' + v%10)}, text...)
			}
			want := parseExact(text, exp)
			f, ok := eiselLemire(mant, exp)
			if !ok {
				gaveUp++
				continue
			}
			require.Equal(t, want, f, "%de%d", mant, exp)
			f, ok = fromDecimal(mant, exp)
			require.True(t, !ok || f == want, "%de%d", mant, exp)
		}
	}
	require.Less(t, gaveUp, 200)
}
