package ports

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/corpus"
)

// A library that is right, on JavaScript's values, passes or is skipped: the frame
// for JavaScript libraries adds no fault of its own. One that is wrong fails.
func TestTheFrameForJavaScriptLibraries(t *testing.T) {
	require.NoError(t, exec.Command("node", "--version").Run(), "node is missing; to get it: install Node 20 or later")
	frame, err := filepath.Abs("javascript/port.mjs")
	require.NoError(t, err)
	library := func(wrong string) string {
		path := filepath.Join(t.TempDir(), "port.mjs")
		require.NoError(t, os.WriteFile(path, []byte(`
import { Unable, binary, serve } from '`+frame+`';
function unserialize(payload) {
  const s = payload.toString('latin1');
  let at = 0;
  const bad = () => { throw new SyntaxError('bad at ' + at); };
  const match = (re) => { re.lastIndex = at; const m = re.exec(s); if (!m) bad(); at = re.lastIndex; return m; };
  const text = (n) => { const v = s.slice(at, at + n); at += n; if (v.length < n) bad(); match(/";/y); return v; };
  const value = () => {
    switch (s[at]) {
      case 'N': match(/N;/y); return null;
      case 'b': return match(/b:([01]);/y)[1] === '1';
      case 'i': { const n = Number(match(/i:([-+]?\d+);/y)[1]); if (!Number.isSafeInteger(n)) throw new Unable('53 bits'); return n; }
      case 's': return text(Number(match(/s:\+?(\d+):"/y)[1]));
      case 'a': {
        const n = Number(match(/a:\+?(\d+):\{/y)[1]), pairs = [];
        for (let i = 0; i < n; i++) {
          if (!/[is]/.test(s[at] ?? '')) bad();
          pairs.push([value(), value()]);
        }
        match(/\}/y);
        return pairs.every(([k], i) => k === i) ? pairs.map(([, v]) => v) : Object.fromEntries(pairs);
      }
      case 'd': case 'O': case 'C': case 'E': case 'r': case 'R': case 'S': throw new Unable('not written');
    }
    bad();
  };
  const v = value();
  if (at < s.length) bad();
  `+wrong+`
  return v;
}
serve({ hello: { name: 'library', version: '1' }, text: binary, unserialize });
`), 0o644))
		return "node " + path
	}
	var cases []corpus.Case
	for _, area := range []string{"scalars", "ints", "strings", "lists", "arrays", "keys"} {
		cases = append(cases, corpus.Filter(corpus.Cases(), area, "")...)
	}
	r := check(t, Options{Command: library(""), Corpus: cases})
	for _, f := range r.Failures {
		t.Errorf("%s %q: %s", f.Case, f.Input, f.Title)
	}
	assert.Greater(t, r.Totals().Passed, int64(500))
	r = check(t, Options{Command: library("if (v === -5) return 5;"), Corpus: cases})
	assert.NotEmpty(t, r.Failures)
	for _, f := range r.Failures {
		assert.Equal(t, "reads another value", f.Kind)
	}
}
