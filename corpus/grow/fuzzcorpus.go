//go:build fuzzcorpus

package grow

// go.mod pins the corpus that `phpwire corpus import` reads through this import,
// which no build has.
import _ "github.com/dvyukov/go-fuzz-corpus/fuzz"
