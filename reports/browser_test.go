package reports_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"phpwire/reports"
)

// browser is a real Chromium that the tests of this package share.
var browser = sync.OnceValues(func() (context.Context, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, fmt.Errorf("no chromium: install it with: apt-get install -y chromium (%w)", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.UserDataDir(browserDir),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closeBrowser := chromedp.NewContext(allocator)
	stopBrowser = func() { closeBrowser(); stop() }
	return ctx, chromedp.Do(ctx)
})

var (
	browserDir  string
	stopBrowser = func() {}
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "phpwire-chromium-")
	if err != nil {
		panic(err)
	}
	browserDir = dir
	code := m.Run()
	stopBrowser()
	os.RemoveAll(dir)
	os.Exit(code)
}

// tab is an open page.
type tab struct {
	t        *testing.T
	ctx      context.Context
	mu       sync.Mutex
	problems []string // what came on the console, and what was loaded
}

// open writes a report and opens its page at a width, in light or dark.
func open(t *testing.T, r *reports.Run, width int64, scheme string, how ...chromedp.EmulateViewportOption) *tab {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, reports.Write(dir, r))
	return openFile(t, filepath.Join(dir, reports.PageFile), width, scheme, "", how...)
}

// openFile opens a page at a fragment.
func openFile(t *testing.T, path string, width int64, scheme, fragment string, how ...chromedp.EmulateViewportOption) *tab {
	t.Helper()
	parent, err := browser()
	require.NoError(t, err)
	ctx, closeTab := chromedp.NewContext(parent)
	t.Cleanup(closeTab)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	p.do()
	require.NoError(t, chromedp.Listen(ctx, p.hear))
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, media)
	require.NoError(t, err)
	address := url.URL{Scheme: "file", Path: path, Fragment: fragment}
	p.do(chromedp.EmulateViewport(width, 900, how...), chromedp.Navigate(address.String()))
	return p
}

// hear notes what a page says on its console, and dialogs.
func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, fmt.Sprintf("exception: %s %v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		p.problems = append(p.problems, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		p.problems = append(p.problems, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		p.problems = append(p.problems, "dialog: "+e.Message)
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, actions...))
}

// js evaluates an expression on a page.
func js[T any](p *tab, expression string) T {
	p.t.Helper()
	out, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	require.NoError(p.t, err, expression)
	return out
}

// run runs a statement on a page.
func (p *tab) run(statement string) {
	p.t.Helper()
	js[bool](p, "(() => { "+statement+"; return true; })()")
}

// until waits for an expression to become true.
func (p *tab) until(expression string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool { return js[bool](p, expression) }, 5*time.Second, 10*time.Millisecond, expression)
}

// quiet is that nothing was written to the console and no dialog opened.
func (p *tab) quiet() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	require.Empty(p.t, p.problems)
}

// picture saves a screenshot of the whole page in the folder that
// PHPWIRE_SCREENSHOTS names, if it does.
func (p *tab) picture(name string) {
	p.t.Helper()
	dir := os.Getenv("PHPWIRE_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
}

const (
	wide  = 1280
	phone = 390
)

func TestPageOpensEverywhere(t *testing.T) {
	for name, r := range samples() {
		for _, width := range []int64{wide, phone} {
			for _, scheme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s/%d/%s", name, width, scheme), func(t *testing.T) {
					p := open(t, r, width, scheme)
					require.LessOrEqual(t, js[int](p, "document.documentElement.scrollWidth"), int(width), "the page scrolls sideways")
					word, _ := r.Headline()
					require.Equal(t, word, js[string](p, "document.querySelector('.verdict').classList[1]"))
					if len(r.Failures) > 0 {
						p.run("document.querySelector('#list summary').click()")
						p.until("document.querySelector('#list .tree') !== null")
						require.LessOrEqual(t, js[int](p, "document.documentElement.scrollWidth"), int(width), "an open failure scrolls sideways")
					}
					p.picture(fmt.Sprintf("%s-%d-%s", name, width, scheme))
					p.quiet()
				})
			}
		}
	}
}
