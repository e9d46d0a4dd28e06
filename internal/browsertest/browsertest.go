// Package browsertest opens pages in a real Chromium for tests, and tells what
// the browser found wrong with them.
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
)

// patience is for one action of a test, on a machine that does something else as
// well.
const patience = 60 * time.Second

// A Browser is a Chromium without a window. It ends with its test.
type Browser struct{ ctx context.Context }

// Start starts a browser, or skips the test where there is none.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := find()
	if path == "" {
		t.Skip("there is no Chromium that runs; scripts/setup installs it, on Ubuntu only where snap does")
	}
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(path),
		chromedp.WSURLReadTimeout(patience),
		chromedp.NoSandbox, // which refuses to work for root, and pages of tests are our own
	))
	t.Cleanup(func() { _ = chromedp.Cancel(ctx); cancel() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("browsertest: starting %s: %v", path, err)
	}
	return &Browser{ctx}
}

// find returns a browser that can tell its version: Ubuntu's package is a script that
// asks for a snap.
func find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "--version").Run() == nil {
			return path
		}
	}
	return ""
}

// A Tab shows one page.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string
}

// Open opens an address or a file, in a window of so many pixels. The tab is
// there for as long as the test.
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

// leaves tells whether an address is not on this machine.
func leaves(address string) bool {
	u, err := url.Parse(address)
	return err != nil || u.Scheme != "file" && u.Scheme != "data" && u.Hostname() != "127.0.0.1"
}

func (tab *Tab) note(problem string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.problems = append(tab.problems, problem)
}

// Problems are errors and warnings in the console, exceptions, and requests that
// leave this machine.
func (tab *Tab) Problems() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return tab.problems
}

// Do takes actions, and fails the test if one fails.
func (tab *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	for _, a := range actions {
		Get(tab, a)
	}
}

// Get takes an action and returns what it yields.
func Get[T any](tab *Tab, action chromedp.Action[T]) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
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
	Get(tab, chromedp.Poll[bool](expression, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(patience)))
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

// PDF leaves the page as it would be printed, like Screenshot.
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
