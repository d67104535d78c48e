package reports_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"phpwire/reports"
)

// started is when the sample runs began.
var started = time.Date(2026, 3, 14, 2, 30, 0, 0, time.UTC)

func at(n int) *int { return &n }

// codecFault is a run in which the reference decoder takes the key "5" of an
// array for a string, where PHP makes an int of it.
func codecFault() *reports.Run {
	r := &reports.Run{
		Tool: "phpwire", Version: "0.1.0", Kind: reports.KindRun,
		Command: "phpwire run --php all --cases 50000 --seed 1773455400",
		Seed:    1773455400, Started: started, Seconds: 21.4,
		Columns: []reports.Column{
			{Name: "PHP 8.2.36 native", Version: "8.2.36", Kind: reports.ColumnNative, Platform: "linux/amd64, 64-bit", Started: "php -n -d serialize_precision=-1 worker.php"},
			{Name: "PHP 8.5.0 wasm", Version: "8.5.0", Kind: reports.ColumnWASM, Platform: "wasm32 on Node 20", Started: "node host.mjs 8.5"},
			{Name: "PHP 7.2.34 wasm", Version: "7.2.34", Kind: reports.ColumnWASM, Platform: "wasm32 on Node 20", Started: "node host.mjs 7.2"},
		},
		Suites: []reports.Suite{
			{Name: "float/bits", Title: "PHP's text for random doubles", Clauses: []string{"FLT-1"}},
			{Name: "codec/encode/build", Title: "PHP builds the value and writes the same bytes", Clauses: []string{"VAL-1"}},
			{Name: "codec/decode/keys", Title: "array keys as PHP reads them", Clauses: []string{"KEY-2"}},
			{Name: "frames/chunks", Title: "any split of a stream gives the same frames", Clauses: []string{"FRM-4"}},
			{Name: "handles/weak", Title: "weak handles", Clauses: []string{"HND-3"}},
		},
		ListedPerCell: 20,
		Clauses: []reports.ClauseVisits{
			{ID: "FLT-1", Title: "A float is written in its shortest form", Visits: 3000000},
			{ID: "VAL-1", Title: "A value is written as its tag and its text", Visits: 150000},
			{ID: "KEY-2", Title: "A canonical decimal key is an int key", Visits: 150000, Failed: 124},
			{ID: "FRM-4", Title: "A frame may arrive in any number of pieces", Visits: 60000},
			{ID: "HND-3", Title: "A handle ends with its epoch", Visits: 40000},
			{ID: "LIM-7", Title: "A frame above 256 MiB is refused", Visits: 0},
		},
		Facts: []reports.Fact{{
			ID: "extra-data", Clause: "VAL-1", Title: "Extra data after the value", Input: []byte("i:1;x"), Tokens: tokens([]byte("i:1;x")),
			Answers: []reports.FactAnswer{
				{Columns: []string{"PHP 7.2.34 wasm", "PHP 8.2.36 native"}, Answer: "accepted, silently"},
				{Columns: []string{"PHP 8.5.0 wasm"}, Answer: "accepted, with a warning"},
			},
			Change: reports.New,
		}},
	}
	for i := range 22 {
		r.Throughput = append(r.Throughput, reports.Point{Seconds: float64(i), Cases: int64(i*160000 - i*i*1200)})
	}
	for s, suite := range r.Suites {
		for c, column := range r.Columns {
			cell := r.Cell(suite.Name, column.Name)
			n := []int64{1000000, 50000, 50000, 20000, 20000}[s]
			cell.Counts = reports.Counts{Cases: n, Passed: n}
			cell.Seconds = float64(n) / 180000
			switch {
			case suite.Name == "codec/decode/keys":
				bad := []int64{41, 41, 42}[c]
				cell.Passed, cell.Failed = n-bad, bad
				cell.Kinds = reports.Tallied(nil, "value differs", bad)
			case suite.Name == "handles/weak" && column.Version == "7.2.34":
				cell.Counts = reports.Counts{}
				cell.NotApplicable = "WeakReference exists from PHP 7.4 on"
			case suite.Name == "frames/chunks" && c == 2:
				cell.Passed, cell.Skipped = n-16, 16
				cell.Skips = reports.Tallied(nil, "needs 512 MiB of memory", 16)
			}
		}
	}
	for _, column := range r.Columns {
		for i, key := range []string{"5", "-7", "12", "2147483648"} {
			r.Add(keyFailure(column.Name, key, i))
		}
	}
	return r
}

// keyFailure is one failure of codecFault.
func keyFailure(column, key string, i int) reports.Failure {
	n := len(key)
	input := []byte("a:1:{s:" + string(rune('0'+n%10)) + ":\"" + key + "\";s:4:\"\x00\xff\n<\";}")
	if n > 9 {
		input = []byte("a:1:{s:10:\"" + key + "\";s:4:\"\x00\xff\n<\";}")
	}
	text := json.RawMessage(`{"t":"string","b64":"AP8KPA=="}`)
	php := json.RawMessage(`{"t":"array","v":[[{"int":"` + key + `"},` + string(text) + `]]}`)
	k, _ := json.Marshal([]byte(key))
	ours := json.RawMessage(`{"t":"array","v":[[{"b64":` + string(k) + `},` + string(text) + `]]}`)
	fixed := []byte("a:1:{i:" + key + ";s:4:\"\x00\xff\n<\";}")
	return reports.Failure{
		Suite: "codec/decode/keys", Column: column, Clause: "KEY-2", Invariant: "P3",
		Outcome: reports.Failed, Kind: "value differs",
		Title: "the key \"" + key + "\" is an int key to PHP, a string key to the reference",
		Input: input, Tokens: tokens(input), Offset: at(5), ShrunkFrom: 2048 + 97*i,
		Sides: []reports.Side{
			{Name: "reference plugin", Verdict: reports.Accepted, Bytes: input, Tokens: tokens(input), Value: ours},
			{Name: "reference canonical", Verdict: reports.Refused, Offset: at(5), Message: "a canonical key must be i:" + key + ";"},
			{Name: column, Verdict: reports.Accepted, Bytes: fixed, Tokens: tokens(fixed), Value: php},
		},
		Differences: []string{"key of entry 0: string \"" + key + "\" to the reference, int " + key + " to " + column},
		Replay:      "printf '%s' 'YToxOntzOjE6IjUiO2k6MTt9' | base64 -d | phpwire replay -",
		File:        "phpwire corpus add --clause KEY-2 --b64 YToxOntzOjE6IjUiO2k6MTt9",
	}
}

// tokens colours a payload well enough for a sample.
func tokens(b []byte) []reports.Token {
	var ts []reports.Token
	add := func(from, to int, kind reports.TokenKind) {
		if from < to {
			ts = append(ts, reports.Token{Offset: from, End: to, Kind: kind})
		}
	}
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			end := i + 1
			for end < len(b) && !(b[end] == '"' && end+1 < len(b) && b[end+1] == ';') {
				end++
			}
			add(i, i+1, reports.TokenPunct)
			add(i+1, end, reports.TokenString)
			add(end, min(end+1, len(b)), reports.TokenPunct)
			i = end + 1
		case c >= 'a' && c <= 'z':
			add(i, i+1, reports.TokenTag)
			i++
		case c >= '0' && c <= '9' || c == '-' || c == '.':
			end := i
			for end < len(b) && (b[end] >= '0' && b[end] <= '9' || b[end] == '-' || b[end] == '.') {
				end++
			}
			kind := reports.TokenNumber
			if i >= 2 && (b[i-2] == 's' || b[i-2] == 'a') {
				kind = reports.TokenLength
			}
			add(i, end, kind)
			i = end
		default:
			add(i, i+1, reports.TokenPunct)
			i++
		}
	}
	return ts
}

// samples are the runs that the tests look at, by name.
func samples() map[string]*reports.Run {
	return map[string]*reports.Run{
		"fault": codecFault(),
		"green": allGreen(),
		"ports": portsMatrix(),
		"empty": {Tool: "phpwire", Version: "0.1.0", Kind: reports.KindRun, Started: started},
		"cut": {Tool: "phpwire", Version: "0.1.0", Kind: reports.KindNightly, Started: started,
			Aborted: "PHP 8.5 could not be started: no such file: php8.5"},
	}
}

// allGreen is a night over nine PHPs in which everything holds.
func allGreen() *reports.Run {
	r := &reports.Run{
		Tool: "phpwire", Version: "0.1.0", Kind: reports.KindNightly,
		Command: "phpwire nightly --php all --budget 2h --seed 1773455400",
		Seed:    1773455400, Started: started, Seconds: 7190,
	}
	for _, v := range []string{"7.2.34", "7.3.33", "7.4.33", "8.0.30", "8.1.34", "8.2.36", "8.3.29", "8.4.16", "8.5.1"} {
		r.Columns = append(r.Columns, reports.Column{Name: "PHP " + v + " wasm", Version: v, Kind: reports.ColumnWASM, Platform: "wasm32 on Node 20"})
	}
	random := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{
		"float/bits", "float/powers", "float/switching", "codec/encode/build", "codec/encode/describe", "codec/decode/corpus",
		"codec/decode/mutated", "codec/decode/canonical", "codec/depth", "frames/chunks", "frames/limits", "child/deaths",
		"child/deadlines", "handles/strong", "handles/weak", "toolchild/frames", "toolchild/payloads",
	} {
		r.Suites = append(r.Suites, reports.Suite{Name: name})
		for _, c := range r.Columns {
			cell := r.Cell(name, c.Name)
			if name == "handles/weak" && c.Version < "7.4" {
				cell.NotApplicable = "WeakReference exists from PHP 7.4 on"
				continue
			}
			n := int64(1000 + random.IntN(4000000))
			cell.Counts = reports.Counts{Cases: n, Passed: n}
			if name == "child/deaths" {
				cell.Passed, cell.Skipped = n-12, 12
				cell.Skips = reports.Tallied(nil, "no signals on wasm32", 12)
			}
		}
	}
	for i := range 64 {
		r.Clauses = append(r.Clauses, reports.ClauseVisits{
			ID:     fmt.Sprintf("%s-%d", []string{"FRM", "VAL", "KEY", "FLT", "HND", "LIM", "ERR", "CHD"}[i/8], i%8+1),
			Title:  "What a conforming implementation must do here",
			Visits: int64(random.IntN(9000000)),
		})
	}
	var done int64
	for i := range 240 {
		r.Throughput = append(r.Throughput, reports.Point{Seconds: float64(i) * 30, Cases: done})
		done += 30 * int64(90000+random.IntN(30000)-40000*b2i(i > 150 && i < 170))
	}
	for i := range 30 {
		n := reports.Night{Started: started.AddDate(0, 0, i-30), Version: "0.1.0", Seconds: 7200}
		n.Cases = int64(600000000 + random.IntN(80000000))
		if i == 12 || i == 13 || i == 21 {
			n.Failed = int64(3 + random.IntN(400))
		}
		if i == 21 {
			n.Crashed, n.NewFacts = 2, 3
		}
		n.Passed = n.Cases - n.Failed - n.Crashed
		r.History = append(r.History, n)
	}
	return r
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// portsMatrix judges ten ports, of which some are good and one crashes.
func portsMatrix() *reports.Run {
	r := &reports.Run{
		Tool: "phpwire", Version: "0.1.0", Kind: reports.KindCheck, Title: "Ten ports against PHP 8.5",
		Command: "phpwire check --port ports/*/run --budget 60s --seed 12", Seed: 12, Started: started, Seconds: 612,
		ListedPerCell: 10,
	}
	for _, c := range [][3]string{
		{"reference", "0.1.0", "Go"}, {"PHP itself", "8.5.1", "PHP"}, {"elliotchance/phpserialize", "1.4.0", "Go"},
		{"trim21/go-phpserialize", "0.1.2", "Go"}, {"php-serialize", "5.1.3", "JavaScript"}, {"locutus", "2.0.39", "JavaScript"},
		{"phpunserialize", "1.3.0", "JavaScript"}, {"php-unserialize", "0.0.1", "JavaScript"}, {"python3-phpserialize", "1.3", "Python"},
		{"PHP::Serialization", "0.34", "Perl"},
	} {
		r.Columns = append(r.Columns, reports.Column{Name: c[0], Version: c[1], Language: c[2], Kind: reports.ColumnPort})
	}
	random := rand.New(rand.NewPCG(5, 6))
	kinds := []string{"accepts what PHP refuses", "refuses what PHP accepts", "value differs", "bytes differ", "crash", "no answer in 5 s"}
	for s, name := range []string{
		"scalars/null", "scalars/bool", "scalars/int", "scalars/float", "strings/bytes", "strings/lengths", "arrays/keys", "arrays/order",
		"arrays/nesting", "refuse/truncated", "refuse/trailing", "refuse/counts", "objects/plain", "objects/references", "generated/decode",
		"generated/encode", "generated/mutated",
	} {
		r.Suites = append(r.Suites, reports.Suite{Name: name, Clauses: []string{"VAL-1"}})
		for p, c := range r.Columns {
			cell := r.Cell(name, c.Name)
			n := int64(12 + random.IntN(400))
			if s > 13 {
				n *= 50
			}
			cell.Counts = reports.Counts{Cases: n, Passed: n}
			if name[:3] == "obj" && p > 3 {
				cell.Passed, cell.Skipped = 0, n
				cell.Skips = reports.Tallied(nil, "the library has no objects", n)
				continue
			}
			if p < 2 || random.IntN(10) < 4 {
				continue
			}
			bad := 1 + n*int64(random.IntN(random.IntN(60)+1))/100
			kind := kinds[random.IntN(4)]
			cell.Passed -= bad
			outcome := reports.Failed
			switch {
			case p == 7 && random.IntN(3) == 0:
				cell.Crashed, kind, outcome = bad, kinds[4], reports.Crashed
			case p == 9 && random.IntN(6) == 0:
				cell.Hung, kind, outcome = bad, kinds[5], reports.Hung
			default:
				cell.Failed = bad
			}
			cell.Kinds = reports.Tallied(nil, kind, bad)
			for i := range min(bad, 12) {
				f := keyFailure(c.Name, strconv.Itoa(int(i)), int(i))
				f.Suite, f.Clause, f.Kind, f.Outcome = name, "VAL-1", kind, outcome
				f.Call = "phpserialize.Unmarshal([]byte(`" + "a:1:{…}" + "`), &v)"
				f.Sides = append(f.Sides[2:3:3], reports.Side{Name: c.Name, Verdict: reports.Refused, Message: "unexpected '{' at 4", Offset: at(4)})
				if outcome == reports.Crashed {
					f.Sides[1] = reports.Side{Name: c.Name, Verdict: reports.Crash, Message: "exit status 139 (segmentation fault)\nfatal: stack overflow in unserialize()"}
				}
				f.Sides[0].Name = "PHP 8.5.1"
				f.Title = kind + ": an array with one numeric string key"
				r.Add(f)
			}
		}
	}
	keys := r.Cell("arrays/keys", "locutus")
	keys.Passed -= 2
	keys.Known++
	keys.Fixed++
	r.Known = []reports.Known{
		{Case: "KEY-7", Suite: "arrays/keys", Column: "locutus", Reason: "JavaScript has no int keys", State: reports.StillFails},
		{Case: "KEY-9", Suite: "arrays/keys", Column: "locutus", Reason: "reported, not yet released", State: reports.NowPasses},
	}
	return r
}
