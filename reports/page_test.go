package reports_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"phpwire/corpus/printable"
	"phpwire/reports"
)

func TestPageSaysWhatTheRunFound(t *testing.T) {
	p := open(t, codecFault(), wide, "light")
	main := js[string](p, "document.querySelector('main').innerText")
	for _, want := range []string{
		"✗ Failed", "124 of 3,400,000 cases fail, in 1 of 5 suites, on 3 of 3 PHPs.",
		"phpwire run --php all --cases 50000 --seed 1773455400",
		"n/a WeakReference exists from PHP 7.4 on · handles/weak on PHP 7.2.34 wasm", "16 cases skipped needs 512 MiB of memory ·",
		"12 failures. 124 cases failed in all; at most 20 are listed for a suite and column, the shortest first.",
		"News about PHP 1 since the last night", "new Extra data after the value\nVAL-1", "accepted, with a warning PHP 8.5.0 wasm",
		"5 of 6 visited", "not visited", "cases a second: 134,800 on average",
	} {
		require.Contains(t, main, want)
	}
	require.Equal(t, "failed: Reference codec against 3 PHPs", js[string](p, "document.title"))
	require.True(t, js[bool](p, "document.getElementById('news').compareDocumentPosition(document.getElementById('matrix')) === Node.DOCUMENT_POSITION_FOLLOWING"), "news stand first")
	require.Equal(t, "k-number", js[string](p, "document.querySelector('#facts td code :nth-child(3)').className"))
	// The heat is said in text too.
	require.Equal(t, "✗ 41\nof 50,000", js[string](p, "document.querySelector('.suite td.h1').innerText.trim()"))
	p.quiet()
}

func TestPageFilters(t *testing.T) {
	p := open(t, portsMatrix(), wide, "light")
	shown := func() string { return js[string](p, "document.getElementById('shown').textContent") }
	listed := func() int { return js[int](p, "document.querySelectorAll('#list > li').length") }
	all := js[int](p, "JSON.parse(document.getElementById('index').textContent).rows.length")
	require.Equal(t, 50, listed())
	require.Contains(t, shown(), fmt.Sprintf("The first 50 of %d failures.", all))

	p.run("document.getElementById('more').click()")
	require.Equal(t, 100, listed())
	require.True(t, js[bool](p, "document.activeElement === document.querySelectorAll('#list summary')[50]"), "focus follows to the first new one")

	p.run("const s = document.getElementById('by-outcome'); s.value = 'crash'; s.dispatchEvent(new Event('change', {bubbles: true}))")
	require.Equal(t, listed(), js[int](p, "document.querySelectorAll('#list .tag.crash').length"))
	require.Contains(t, shown(), "that match")
	require.Positive(t, listed())

	p.do(chromedp.SendKeys(chromedp.ID("q"), "no such thing"))
	p.until("document.querySelectorAll('#list > li').length === 0")
	require.Contains(t, shown(), "No listed failure matches.")

	p.do(chromedp.Click(chromedp.ID("clear")))
	p.until("document.querySelectorAll('#list > li').length === 50")

	// A cell of the matrix leads to its failures, one of an area to the area's.
	p.run("document.querySelector('td a[data-suite=\"refuse/counts\"][data-column=\"locutus\"]').click()")
	require.Equal(t, "refuse/counts", js[string](p, "[...new Set([...document.querySelectorAll('#list .g-suite')].map(e => e.textContent))].join()"))
	require.True(t, js[bool](p, "[...document.querySelectorAll('#list .g-column')].every(e => e.textContent.startsWith('locutus'))"))
	p.run("document.querySelector('td a[data-suite=\"arrays/\"][data-column=\"php-serialize\"]').click()")
	require.Equal(t, "arrays/keys,arrays/order", js[string](p, "[...new Set([...document.querySelectorAll('#list .g-suite')].map(e => e.textContent))].join()"))
	p.quiet()
}

func TestPageFollowsAFailure(t *testing.T) {
	r := codecFault()
	p := open(t, r, wide, "dark")
	// By its link in the table of the worst, although a filter hides it.
	p.do(chromedp.SendKeys(chromedp.ID("q"), "no such thing"))
	p.until("document.querySelectorAll('#list > li').length === 0")
	p.run("document.querySelectorAll('#kinds a')[1].click()")
	p.until("document.querySelector('#list details[open] .tree') !== null")
	id := js[string](p, "document.querySelector('#list details[open]').parentElement.id")
	require.Equal(t, "#"+id, js[string](p, "location.hash"))
	require.True(t, js[bool](p, "document.activeElement.closest('li').id === "+quote(id)), "focus is on the failure")

	body := js[string](p, "document.querySelector('#list details[open] .body').innerText")
	for _, want := range []string{
		"Shrunk from\n2,048 bytes to 25 bytes", `a:1:{s:1:"5";s:4:"\x00\xff\n<";}`, "the difference is at offset 5",
		"a canonical key must be i:5;", `a:1:{i:5;s:4:"\x00\xff\n<";}`, "differs from reference plugin at offset 5",
		`key of entry 0: string "5" to the reference, int 5 to PHP 8.5.0 wasm`, "base64 -d | phpwire replay -",
	} {
		require.Contains(t, body, want)
	}
	// The marked byte, its colour, and the tree with the key that differs.
	require.Equal(t, "s", js[string](p, "document.querySelector('#list .payload mark').textContent"))
	require.Equal(t, "k-tag", js[string](p, "document.querySelector('#list .payload mark').className"))
	require.Equal(t, `"5" 5`, js[string](p, "[...document.querySelectorAll('#list .tree .differs .d')].map(e => e.textContent).join(' ')"))
	require.Equal(t, 1, js[int](p, "document.querySelectorAll('#list .tree .differs').length"))
	p.quiet()
}

func TestPageOpensAtAFailure(t *testing.T) {
	r := portsMatrix()
	dir := t.TempDir()
	require.NoError(t, reports.Write(dir, r))
	got, err := reports.Read(dir)
	require.NoError(t, err)
	last := got.Failures[len(got.Failures)-1]
	p := openFile(t, filepath.Join(dir, reports.PageFile), wide, "light", "f-"+last.ID)
	require.Equal(t, "f-"+last.ID, js[string](p, "document.querySelector('#list details[open]').parentElement.id"))
	p.quiet()
}

func TestPageCopiesTheCommand(t *testing.T) {
	p := open(t, codecFault(), wide, "light")
	p.run("document.querySelector('#list summary').click()")
	p.until("document.querySelector('#list .body .command') !== null")
	// The selection of the fall-back is what can be seen without a clipboard.
	p.run("navigator.clipboard.writeText = (t) => { window.copied = t; return Promise.resolve(); }")
	p.run("document.querySelector('#list .command button').click()")
	p.until("document.querySelector('#list .command button').textContent === 'Copied'")
	require.Equal(t, codecFault().Failures[0].Replay, js[string](p, "window.copied"))
	p.run("document.querySelector('#list .note button').click()")
	p.until("window.copied.startsWith('YTox')")
	p.quiet()
}

func TestPageWorksByKeyboard(t *testing.T) {
	p := open(t, codecFault(), wide, "light")
	p.do(chromedp.KeyEvent(kb.Tab))
	require.Equal(t, "Skip to the results", js[string](p, "document.activeElement.textContent"))
	require.Positive(t, js[float64](p, "document.activeElement.getBoundingClientRect().bottom"), "the skip link is seen when it has the focus")
	p.do(chromedp.KeyEvent(kb.Enter))
	require.Equal(t, "main", js[string](p, "document.activeElement.id"))

	p.run("document.getElementById('q').focus()")
	for range 3 { // the select, Clear, the first failure
		p.do(chromedp.KeyEvent(kb.Tab))
	}
	require.Equal(t, "SUMMARY", js[string](p, "document.activeElement.tagName"))
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("document.querySelector('#list details').open && document.querySelector('#list .tree') !== null")

	// An area folds, and says so.
	p.run("document.querySelector('.fold').focus()")
	p.do(chromedp.KeyEvent(kb.Enter))
	require.Equal(t, "false", js[string](p, "document.activeElement.getAttribute('aria-expanded')"))
	require.True(t, js[bool](p, "document.querySelector('.folded .suite').offsetHeight === 0"))
	p.quiet()
}

func TestPageIsReadAloud(t *testing.T) {
	p := open(t, portsMatrix(), wide, "light")
	p.run("document.querySelector('#list summary').click()")
	p.until("document.querySelector('#list .tree') !== null")
	for what, none := range map[string]string{
		"a control without a name":     `[...document.querySelectorAll('button, input, select, a')].filter(e => !e.hidden && !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length))`,
		"a header without a scope":     `[...document.querySelectorAll('th')].filter(e => !e.scope)`,
		"a chart without words":        `[...document.querySelectorAll('svg')].filter(e => !e.getAttribute('aria-label') && e.getAttribute('aria-hidden') !== 'true')`,
		"an id that is there twice":    `[...document.querySelectorAll('[id]')].filter((e, i, all) => all.findIndex(o => o.id === e.id) !== i)`,
		"a heading that skips a level": `[...document.querySelectorAll('h1, h2, h3, h4')].filter((e, i, all) => i > 0 && e.tagName[1] - all[i - 1].tagName[1] > 1)`,
		"a region without a name":      `[...document.querySelectorAll('[role=region], [role=group]')].filter(e => !e.getAttribute('aria-label') && !document.getElementById(e.getAttribute('aria-labelledby')))`,
	} {
		require.Empty(t, js[string](p, none+".map(e => e.outerHTML.slice(0, 200)).join('\\n')"), what)
	}
	require.Equal(t, 1, js[int](p, "document.querySelectorAll('h1').length"))
}

// Text must stand out from what is behind it: 4.5 to 1, as WCAG 2 asks (AA).
func TestPageHasContrast(t *testing.T) {
	const faint = `(() => {
		const canvas = document.createElement("canvas"), draw = canvas.getContext("2d", { willReadFrequently: true });
		canvas.width = canvas.height = 1;
		const paint = (colors) => {
			draw.clearRect(0, 0, 1, 1);
			for (const c of colors) { draw.fillStyle = c; draw.fillRect(0, 0, 1, 1); }
			return [...draw.getImageData(0, 0, 1, 1).data].slice(0, 3);
		};
		const light = (rgb) => rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
		const out = new Set();
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let n; (n = walk.nextNode());) {
			const e = n.parentElement;
			if (!n.data.trim() || e.closest("script, style, .sr, option") || !e.checkVisibility()) continue;
			const behind = [];
			for (let p = e; p; p = p.parentElement) behind.unshift(getComputedStyle(p).backgroundColor);
			const a = light(paint(behind)), b = light(paint([...behind, getComputedStyle(e).color]));
			const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (ratio < 4.5) out.add(ratio.toFixed(2) + " " + e.tagName + "." + e.className + " " + n.data.trim().slice(0, 30));
		}
		return [...out].slice(0, 20).join("\n");
	})()`
	for name, r := range samples() {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(name+"/"+scheme, func(t *testing.T) {
				p := open(t, r, wide, scheme)
				p.run("for (const s of [...document.querySelectorAll('#list summary')].slice(0, 3)) s.click()")
				if len(r.Failures) > 0 {
					p.until("document.querySelectorAll('#list .tree').length >= 3")
				}
				require.Empty(t, js[string](p, faint))
			})
		}
	}
}

func TestPageThemes(t *testing.T) {
	background := "getComputedStyle(document.body).backgroundColor"
	p := open(t, allGreen(), wide, "dark")
	dark := js[string](p, background)
	p.do(chromedp.Click(chromedp.ID("theme")))
	require.Equal(t, "Theme: light", js[string](p, "document.getElementById('theme').textContent"))
	require.NotEqual(t, dark, js[string](p, background))
	p.do(chromedp.Reload())
	require.Equal(t, "Theme: light", js[string](p, "document.getElementById('theme').textContent"), "the choice is kept")
	p.do(chromedp.Click(chromedp.ID("theme")))
	require.Equal(t, dark, js[string](p, background))
	p.do(chromedp.Click(chromedp.ID("theme")))
	require.Equal(t, "Theme: system", js[string](p, "document.getElementById('theme').textContent"))
	p.quiet()
}

func TestPagePrintsItsFailures(t *testing.T) {
	p := open(t, codecFault(), wide, "dark")
	p.run("window.addEventListener('beforeprint', () => { window.drawn = document.querySelectorAll('#list details[open] .tree').length; })")
	pdf, err := chromedp.Run(p.ctx, chromedp.PrintToPDF())
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(pdf, []byte("%PDF-")))
	require.Equal(t, 12, js[int](p, "window.drawn"))
	require.Equal(t, 0, js[int](p, "document.querySelectorAll('#list details[open]').length"), "they close again")
	if dir := os.Getenv("PHPWIRE_SCREENSHOTS"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "fault.pdf"), pdf, 0o644))
	}
	p.quiet()
}

// hostile puts a text wherever a run has room for one, and as bytes too.
func hostile(text string) *reports.Run {
	b64, _ := json.Marshal([]byte(text))
	value := json.RawMessage(`{"t":"array","v":[[{"b64":` + string(b64) + `},{"t":"string","b64":` + string(b64) + `}]]}`)
	quoted, _ := json.Marshal(text)
	odd := json.RawMessage(`{"t":` + string(quoted) + `,"v":` + string(quoted) + `}`)
	return &reports.Run{
		Tool: text, Version: text, Kind: reports.KindRun, Title: text, Command: text, Aborted: text, Started: started, Seconds: 1,
		Columns: []reports.Column{{Name: text, Version: text, Kind: reports.ColumnPort, Platform: text, Language: text, Started: text}},
		Suites:  []reports.Suite{{Name: text, Title: text}},
		Cells: []reports.Cell{{Suite: text, Column: text, Counts: reports.Counts{Cases: 2, Failed: 1, Skipped: 1},
			Skips: []reports.Tally{{Name: text, Count: 1}}, Kinds: []reports.Tally{{Name: text, Count: 1}}}},
		Clauses: []reports.ClauseVisits{{ID: text, Title: text, Visits: 1}},
		Facts:   []reports.Fact{{ID: text, Title: text, Clause: text, Input: []byte(text), Answers: []reports.FactAnswer{{Columns: []string{text}, Answer: text}}, Change: reports.New}},
		Known:   []reports.Known{{Case: text, Suite: text, Column: text, Reason: text, State: reports.NowPasses}},
		History: []reports.Night{{Started: started, Version: text}},
		Failures: []reports.Failure{{
			ID: "f", Suite: text, Column: text, Clause: text, Invariant: text, Case: text, Outcome: reports.Failed, Kind: text, Title: text,
			Input: []byte(text), Tokens: []reports.Token{{Offset: 0, End: 1, Kind: reports.TokenKind(text)}}, Value: odd, Offset: at(0),
			Sides: []reports.Side{
				{Name: text, Verdict: reports.Verdict(text), Message: text, Warnings: []string{text}, Bytes: []byte(text), Value: value},
				{Name: text, Verdict: reports.Accepted, Bytes: []byte("x"), Value: odd, Offset: at(1 << 40)},
			},
			Differences: []string{text}, Replay: text, File: text, Call: text,
		}},
	}
}

// attacks are payloads that would get out of a page that trusts them.
var attacks = []string{
	`</script><script>alert(1)</script>`,
	`<!--<script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	"</style><style>*{display:none}</style>",
	"]]><x/>",
	"{{.}}${alert(1)}`",
	"\u2028alert(1)\u2029",
	"\x00\x01\xff\xfe\x1b[31m\u202edlrow",
	"javascript:alert(1)",
	"`````\n# heading | cell | <details>\n\n@someone [link](http://x)",
}

// wider lists the elements that make a page scroll sideways.
const wider = `[...document.body.querySelectorAll("*")].filter(e => !e.closest(".scroll *") && e.getBoundingClientRect().left + Math.max(e.scrollWidth, e.offsetWidth ?? 0) > innerWidth + 1).map(e => e.tagName + "." + e.className + " " + e.textContent.slice(0, 20)).join("\n")`

func TestPageHoldsHostilePayloads(t *testing.T) {
	for _, text := range attacks {
		t.Run(printable.Bytes([]byte(text)), func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, reports.WritePage(&b, hostile(text)))
			require.Equal(t, 3, strings.Count(b.String(), "<script"), "the page has its own scripts only")
			require.Equal(t, 3, strings.Count(b.String(), "</script"))

			path := filepath.Join(t.TempDir(), "index.html")
			require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
			p := openFile(t, path, phone, "light", "")
			p.run("document.querySelector('#list summary').click()")
			p.until("document.querySelectorAll('#list .tree').length === 2")
			require.Equal(t, 0, js[int](p, "document.querySelectorAll('img, iframe, object, [onerror], [onmouseover]').length"))
			require.Equal(t, 2, js[int](p, "document.querySelectorAll('#list .payload, #list .sides').length"))
			if js[int](p, "document.documentElement.scrollWidth") > phone {
				t.Fatal("wider than a phone:", js[string](p, wider))
			}
			shown := js[string](p, "document.querySelector('#list .payload .bytes').textContent")
			require.Equal(t, printable.Bytes([]byte(text)), shown)
			require.Equal(t, base64.StdEncoding.EncodeToString([]byte(text)), js[string](p, "document.querySelector('#list .note button').dataset.text"))
			p.quiet()
		})
	}
}

// crowded is a run of 100,000 cases, every tenth of which fails, all listed.
func crowded() *reports.Run {
	r := portsMatrix()
	r.Failures, r.Cells, r.Suites, r.Known, r.ListedPerCell = nil, nil, nil, nil, 0
	for s := range 60 {
		name := fmt.Sprintf("area%d/suite%d", s/6, s)
		r.Suites = append(r.Suites, reports.Suite{Name: name})
		for c, column := range r.Columns {
			cell := r.Cell(name, column.Name)
			cell.Counts = reports.Counts{Cases: 167, Passed: 151, Failed: 16}
			for i := range 16 {
				f := keyFailure(column.Name, fmt.Sprint(s*c+i), i)
				f.Suite, f.Title = name, fmt.Sprintf("case %d of %s", i, name)
				r.Add(f)
			}
		}
	}
	return r
}

func TestPageOfManyCasesOpensAtOnce(t *testing.T) {
	r := crowded()
	require.Greater(t, r.Totals().Cases, int64(100_000))
	dir := t.TempDir()
	began := time.Now()
	require.NoError(t, reports.Write(dir, r))
	wrote := time.Since(began)
	info, err := os.Stat(filepath.Join(dir, reports.PageFile))
	require.NoError(t, err)

	// The best of some: the machine may be busy with something else.
	best := 1e9
	for tries := 0; tries < 3 || best >= 1000 && tries < 15; tries++ {
		p := openFile(t, filepath.Join(dir, reports.PageFile), wide, "light", "")
		best = min(best, js[float64](p, "performance.getEntriesByType('navigation')[0].loadEventEnd"))
		require.Equal(t, 50, js[int](p, "document.querySelectorAll('#list > li').length"))
		p.quiet()
	}
	t.Logf("%d cases, %d failures listed, %.1f MB, written in %s: loaded in %.0f ms", r.Totals().Cases, len(r.Failures), float64(info.Size())/1e6, wrote, best)
	require.Less(t, best, 1000.0, "milliseconds")

	// A search over all of them answers within a blink, too.
	p := openFile(t, filepath.Join(dir, reports.PageFile), wide, "light", "")
	took := js[float64](p, `(() => {
		const began = performance.now(), s = document.getElementById("by-column");
		s.value = s.options[3].value;
		s.dispatchEvent(new Event("change", { bubbles: true }));
		return performance.now() - began;
	})()`)
	require.Less(t, took, 250.0, "milliseconds")
}

func TestPageListsAtMostFiveThousand(t *testing.T) {
	r := crowded()
	for i := range 60000 {
		f := keyFailure(r.Columns[i%10].Name, fmt.Sprint(i), i%16)
		f.Suite, f.ID = r.Suites[i%60].Name, fmt.Sprint("more", i)
		r.Failures = append(r.Failures, f)
		c := r.Cell(f.Suite, f.Column)
		c.Cases++
		c.Failed++
	}
	var b bytes.Buffer
	require.NoError(t, reports.WritePage(&b, r))
	path := filepath.Join(t.TempDir(), "index.html")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	p := openFile(t, path, wide, "light", "")
	rows := js[int](p, "JSON.parse(document.getElementById('index').textContent).rows.length")
	require.LessOrEqual(t, rows, 5000)
	require.Equal(t, 600*8, rows)
	require.Contains(t, js[string](p, "document.getElementById('shown').textContent"), "are listed for a suite and column")
	require.Equal(t, "480 listed", js[string](p, "document.querySelector('#kinds td.num').textContent"))
}

// A payload of megabytes and a value of as many do not end up in the page.
func TestPageCutsLongPayloads(t *testing.T) {
	r := codecFault()
	f := &r.Failures[0]
	f.Input = append(bytes.Repeat([]byte("a"), 3<<20), "DIFFERENCE"...)
	f.Tokens = []reports.Token{{Offset: 0, End: len(f.Input), Kind: reports.TokenString}}
	f.Offset = at(3 << 20)
	long, _ := json.Marshal(f.Input)
	f.Sides = f.Sides[:1]
	f.Sides[0].Bytes, f.Sides[0].Tokens = f.Input, f.Tokens
	f.Sides[0].Value = json.RawMessage(`{"t":"string","b64":` + string(long) + `}`)
	var b bytes.Buffer
	require.NoError(t, reports.WritePage(&b, r))
	require.Less(t, b.Len(), 300<<10)
	path := filepath.Join(t.TempDir(), "index.html")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	p := openFile(t, path, wide, "light", "f-"+f.ID)
	require.Equal(t, "D", js[string](p, "document.querySelector('#f-"+f.ID+" .payload mark').textContent"))
	text := js[string](p, "document.querySelector('#f-"+f.ID+"').innerText")
	require.Contains(t, text, "the difference is at offset 3,145,728")
	require.Contains(t, text, "report.json has all")
	require.Contains(t, text, "Too long to show, in report.json: the value of reference plugin")
	p.quiet()
}

func TestPageShowsEveryKindOfValue(t *testing.T) {
	class := base64.StdEncoding.EncodeToString([]byte(`A\B`))
	value := func(last string) json.RawMessage {
		return json.RawMessage(`{"t":"list","v":[{"t":"null"},{"t":"bool","v":true},{"t":"int","v":"-5"},{"t":"float","bits":"3ff8000000000000","v":"1.5"},
			{"t":"rhandle","rhandle":"3","class":"` + class + `","epoch":"1","snapshot":[[{"int":"7"},{"t":"null"}]]},
			{"t":"phandle","phandle":"8","class":"` + class + `","implements":["` + class + `"]},{"t":"pclass","class":"` + class + `"},
			{"t":"list","v":[` + strings.Repeat(`{"t":"null"},`, 30) + last + `]}]}`)
	}
	r := codecFault()
	r.Failures = r.Failures[:1]
	r.Failures[0].Sides = []reports.Side{
		{Name: "one", Verdict: reports.Accepted, Value: value(`{"t":"float","bits":"8000000000000000","v":"-0"}`)},
		{Name: "two", Verdict: reports.Accepted, Value: value(`{"t":"float","bits":"0000000000000000","v":"0"},{"t":"null"}`)},
	}
	p := open(t, r, wide, "light")
	p.run("document.querySelector('#list summary').click()")
	p.until("document.querySelector('#list .tree') !== null")
	text := js[string](p, "document.querySelector('#list .tree').innerText")
	for _, want := range []string{"list 8 elements", "Show", "lines in which all agree", "float -0 #8000000000000000", "float 0 #0000000000000000", "nothing here", "list 31 elements", "list 32 elements"} {
		require.Contains(t, text, want)
	}
	p.run("for (const b of document.querySelectorAll('#list .tree button')) b.click()")
	text = js[string](p, "document.querySelector('#list .tree').innerText")
	for _, want := range []string{"0 ⇒ null", "1 ⇒ bool true", "2 ⇒ int -5", "3 ⇒ float 1.5 #3ff8000000000000", "4 ⇒ rhandle 3", `class ⇒ "A\\B"`, "epoch ⇒ 1", "snapshot ⇒ array", "7 ⇒ null", "5 ⇒ phandle 8", `6 ⇒ pclass "A\\B"`} {
		require.Contains(t, text, want)
	}
	p.quiet()
}

func TestPageShowsTheDeepestValue(t *testing.T) {
	const depth = 512
	deep := func(leaf string) json.RawMessage {
		return json.RawMessage(strings.Repeat(`{"t":"list","v":[`, depth) + leaf + strings.Repeat(`]}`, depth))
	}
	r := codecFault()
	r.Failures = r.Failures[:1]
	r.Failures[0].Sides = []reports.Side{
		{Name: "one", Verdict: reports.Accepted, Value: deep(`{"t":"int","v":"1"}`)},
		{Name: "two", Verdict: reports.Accepted, Value: deep(`{"t":"int","v":"2"}`)},
	}
	p := open(t, r, phone, "light")
	p.run("document.querySelector('#list summary').click()")
	p.until("document.querySelector('#list .tree') !== null")
	require.Equal(t, "int 1,int 2", js[string](p, "[...document.querySelectorAll('#list .tree .d')].map(e => e.textContent).join()"))
	require.Contains(t, js[string](p, "document.querySelector('#list .tree').innerText"), "Show 505 lines in which all agree")
	require.LessOrEqual(t, js[int](p, "document.documentElement.scrollWidth"), phone)
	p.quiet()
}

// Under a phone's finger what is to be touched is large enough.
func TestPageOnAPhone(t *testing.T) {
	p := open(t, portsMatrix(), phone, "light", chromedp.EmulateMobile, chromedp.EmulateTouch)
	require.LessOrEqual(t, js[int](p, "document.documentElement.scrollWidth"), phone)
	small := js[string](p, `[...document.querySelectorAll("button, nav a, select, #list summary")].filter(e => e.offsetHeight && e.offsetHeight < 30).map(e => e.outerHTML.slice(0, 80)).join("\n")`)
	require.Empty(t, small)
	p.do(chromedp.Tap(chromedp.CSS("#list summary")))
	p.until("document.querySelector('#list details').open && document.querySelector('#list .tree') !== null")
	require.LessOrEqual(t, js[int](p, "document.documentElement.scrollWidth"), phone)
	p.quiet()
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
