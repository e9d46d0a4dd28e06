// Package browsertest opens pages in a real Chromium for tests, and reports what the
// browser complains about.
package browsertest

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/gohops/hops/internal/testing/tooltest"
)

// actionTimeout is how long one action of a test may take on a busy machine.
const actionTimeout = 60 * time.Second

// A Browser is a Chromium without a window. It ends with its test.
type Browser struct{ ctx context.Context }

// Start starts a browser, or skips the test where there is none.
func Start(t testing.TB) *Browser {
	t.Helper()
	path, stub := find()
	switch {
	case path == "" && stub:
		t.Skip("the Chromium here is a stub that does not run: on Ubuntu it needs snap")
	case path == "":
		tooltest.Missing(t, "there is no Chromium; scripts/setup installs it")
	}
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(path),
		chromedp.WSURLReadTimeout(actionTimeout),
		chromedp.NoSandbox, // the sandbox does not work for root, and the pages of tests are our own
	))
	t.Cleanup(func() { _ = chromedp.Cancel(ctx); cancel() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("browsertest: starting %s: %v", path, err)
	}
	return &Browser{ctx}
}

// find returns the path of a browser that can print its version: on Ubuntu the command
// is a script that asks for a snap, and cannot.
func find() (path string, stub bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.Command(path, "--version").Run() == nil {
			return path, false
		}
		stub = stub || err == nil
	}
	return "", stub
}

// A Tab shows one page.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string
}

// Open opens an address or a file in a window of width × height pixels. The tab is
// closed at the end of the test.
func (b *Browser) Open(t testing.TB, address string, width, height int64) *Tab {
	t.Helper()
	if !strings.Contains(address, "://") {
		address = "file://" + (&url.URL{Path: address}).EscapedPath()
	}
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	tab := &Tab{t: t, ctx: ctx}
	console, requests := chromedp.Console(ctx), chromedp.Events(ctx, network.RequestWillBeSent)
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatalf("browsertest: %v", err)
	}
	go func() {
		for m, err := range console {
			if err == nil && (m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.IsException()) {
				tab.note(m.String())
			}
		}
	}()
	go func() {
		for r, err := range requests {
			if err == nil && leaves(r.Request.URL) {
				tab.note("asks for " + r.Request.URL)
			}
		}
	}()
	tab.Do(chromedp.EmulateViewport(width, height), chromedp.Navigate(address))
	return tab
}

// leaves tells whether an address is on another machine.
func leaves(address string) bool {
	u, err := url.Parse(address)
	return err != nil || u.Scheme != "file" && u.Scheme != "data" && u.Scheme != "blob" && u.Hostname() != "127.0.0.1"
}

func (tab *Tab) note(problem string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.problems = append(tab.problems, problem)
}

// Problems returns the errors, warnings and exceptions in the console, and the requests
// to other machines.
func (tab *Tab) Problems() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return tab.problems
}

// Do runs actions, and fails the test if one fails.
func (tab *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	for _, a := range actions {
		Get(tab, a)
	}
}

// Get runs an action and returns its result.
func Get[T any](tab *Tab, action chromedp.Action[T]) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, actionTimeout)
	defer cancel()
	result, err := chromedp.Run(ctx, action)
	if err != nil {
		tab.t.Fatalf("browsertest: %v", err)
	}
	return result
}

// Eval evaluates an expression of JavaScript.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	return Get(tab, chromedp.Evaluate[T](expression))
}

// WaitFor waits until an expression is true.
func (tab *Tab) WaitFor(expression string) {
	tab.t.Helper()
	Get(tab, chromedp.Poll[bool](expression, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(actionTimeout)))
}

// Emulate shows the page on a medium, "screen" or "print", for readers who prefer
// a colour scheme, "light" or "dark".
func (tab *Tab) Emulate(medium, scheme string) {
	tab.t.Helper()
	_, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		tab.t.Fatalf("browsertest: %v", err)
	}
}

// Screenshot leaves a picture of the whole page among the artifacts of the test,
// which go test -artifacts keeps.
func (tab *Tab) Screenshot(name string) {
	tab.t.Helper()
	tab.save(name+".png", Get(tab, chromedp.FullScreenshot(100)))
}

// PDF saves the page as printed, like Screenshot.
func (tab *Tab) PDF(name string) {
	tab.t.Helper()
	tab.save(name+".pdf", Get(tab, chromedp.PrintToPDF()))
}

func (tab *Tab) save(name string, data []byte) {
	tab.t.Helper()
	if err := os.WriteFile(filepath.Join(tab.t.ArtifactDir(), name), data, 0o666); err != nil {
		tab.t.Fatalf("browsertest: %v", err)
	}
}
