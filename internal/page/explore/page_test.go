package explore

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gohops/hops/internal/testing/browsertest"
)

// The tests of the page wait for what they want to see, never for a time.

const (
	drawn       = `document.body.dataset.state === "drawn"`
	vertexCount = `document.querySelectorAll("#drawing .vertex").length`
)

// around is true when the neighbourhood of a vertex is drawn.
func around(name string) string {
	return fmt.Sprintf(`%s && document.getElementById("from").value === %q && document.getElementById("to").value === "" && %s > 0`, drawn, name, vertexCount)
}

// vertexOf is an expression for the element of a vertex.
func vertexOf(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#drawing .vertex")].find(v => v.getAttribute("aria-label").startsWith(%q))`, name+",")
}

// A pageTest is a tab on a server.
type pageTest struct {
	*browsertest.Tab
	t *testing.T
}

// click clicks on a vertex as a mouse does.
func (p pageTest) click(name string) {
	p.t.Helper()
	browsertest.Eval[bool](p.Tab, vertexOf(name)+`.dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
}

// press presses a key where the focus is.
func (p pageTest) press(key string) {
	p.t.Helper()
	browsertest.Eval[bool](p.Tab, fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: %q, bubbles: true, cancelable: true})) || true`, key))
}

func (p pageTest) same(what, expression, want string) {
	p.t.Helper()
	if got := browsertest.Eval[string](p.Tab, expression); got != want {
		p.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func (p pageTest) quiet() {
	p.t.Helper()
	if problems := p.Problems(); len(problems) > 0 {
		p.t.Errorf("the browser says %q", problems)
	}
}

func TestPageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := browsertest.Start(t)
	s := start(t, Options{Timeout: generous}, Graph{"florence", florence(t)}, Graph{"kronecker", kronecker(t, 10)}, Graph{"hostile", hostileGraph(t)}, Graph{"long", named(t, [2]string{"a very long first name", "b"}, [2]string{"b", "c"}, [2]string{"c", "d"}, [2]string{"d", "a very long last name"})}, Graph{"arrows", arrows(t)})
	for name, test := range map[string]func(*testing.T, *browsertest.Browser, *running){
		"others": testOthers, "draw": testDraw, "directed": testDirected, "paths": testPaths, "keyboard": testKeyboard, "phone": testPhone, "hostile": testHostile, "exports": testExports,
	} {
		t.Run(name, func(t *testing.T) { test(t, b, s) })
	}
}

// A name is typed, completed and drawn; a click moves or adds; undo goes back; the levels
// and what was left out are said.
func testDraw(t *testing.T, b *browsertest.Browser, s *running) {
	p := pageTest{b.Open(t, s.url, 1200, 800), t}
	p.WaitFor(`document.body.dataset.state === "welcome" && document.querySelector("#status .chip").textContent === "Medici"`)
	p.Do(chromedp.Focus("#from"))
	browsertest.Eval[bool](p.Tab, `document.getElementById("from").value = "stro"; document.getElementById("from").dispatchEvent(new Event("input"))`)
	p.WaitFor(`document.querySelector("#from-list [role=option] span")?.textContent === "Strozzi"`)
	p.press("ArrowDown")
	p.press("Enter")
	browsertest.Eval[bool](p.Tab, `document.getElementById("ask").requestSubmit() || true`)
	p.WaitFor(around("Strozzi"))
	p.WaitFor(`!document.getElementById("levels").hidden`)
	p.same("levels", `[...document.querySelectorAll("#levels-rows tr")].map(r => r.innerText.trim().replace(/\s+/g, " ")).join(";")`, "0 1;1 4;2 4;3 4;4 2")
	p.Screenshot("draw")
	p.click("Ridolfi")
	p.WaitFor(around("Ridolfi"))
	browsertest.Eval[bool](p.Tab, `document.getElementById("undo").click() || true`)
	p.WaitFor(around("Strozzi"))

	browsertest.Eval[bool](p.Tab, `(() => { const hops = document.getElementById("hops"); hops.value = "1"; return hops.dispatchEvent(new Event("change")); })()`)
	p.WaitFor(around("Strozzi") + ` && ` + vertexCount + ` === 5`)
	browsertest.Eval[string](p.Tab, `document.getElementById("click").value = "expand"`)
	p.click("Ridolfi")
	p.WaitFor(around("Strozzi") + ` && ` + vertexCount + ` === 7`) // the Medici and the Tornabuoni
	p.WaitFor(`document.getElementById("left-list").textContent.includes("7 vertices")`)
	if address := browsertest.Eval[string](p.Tab, `document.getElementById("link").href`); !strings.Contains(address, "expand=") {
		t.Errorf("the link is %s", address)
	} else {
		again := pageTest{b.Open(t, address, 1200, 800), t}
		again.WaitFor(around("Strozzi") + ` && ` + vertexCount + ` === 7`)
		again.quiet()
	}
	browsertest.Eval[bool](p.Tab, `(() => { const most = document.getElementById("max-degree"); most.value = "2"; return most.dispatchEvent(new Event("change")); })()`)
	p.WaitFor(`document.getElementById("left-list").textContent.includes("Left out: 4 hubs with more than 2 neighbours.") && ` + vertexCount + ` === 1`)
	p.quiet()
}

// Of a directed graph the page counts edges each way, and says which are not drawn.
func testDirected(t *testing.T, b *browsertest.Browser, s *running) {
	p := pageTest{b.Open(t, s.url+"#graph=arrows&vertex=0&hops=1", 1200, 800), t}
	facts := `document.getElementById("chosen-facts").textContent`
	left := `[...document.querySelectorAll("#left-list li")].map(li => li.textContent).join(" ")`
	p.WaitFor(around("0") + ` && !document.getElementById("levels").hidden`)
	p.same("out", facts, "3 edges out of it, 3 into it, 2 of them not drawn.")
	p.same("what is left out", left, "Drawn: 4 vertices and 4 edges. Within reach: 4 of 6 vertices.")
	browsertest.Eval[bool](p.Tab, `(() => { const d = document.getElementById("direction"); d.value = "in"; d.dispatchEvent(new Event("change")); return true; })()`)
	p.WaitFor(around("0") + ` && location.hash.includes("direction=in") && ` + vertexOf("4") + ` !== undefined`)
	p.same("in", facts, "3 edges out of it, 3 into it, 2 of them not drawn.")
	p.quiet()
}

// Two names give layers from left to right, and no path is said.
func testPaths(t *testing.T, b *browsertest.Browser, s *running) {
	p := pageTest{b.Open(t, s.url+"#graph=florence&from=Peruzzi&to=Pazzi", 1200, 800), t}
	p.WaitFor(drawn + ` && ` + vertexCount + ` === 8`)
	p.WaitFor(`document.getElementById("left-list").textContent.includes("2 shortest paths of 5 hops")`)
	x := func(name string) float64 {
		return browsertest.Eval[float64](p.Tab, vertexOf(name)+`.getBoundingClientRect().x`)
	}
	order := []string{"Peruzzi", "Strozzi", "Ridolfi", "Medici", "Salviati", "Pazzi"}
	for i := range order[1:] {
		if x(order[i]) >= x(order[i+1]) {
			t.Errorf("%s is not left of %s", order[i], order[i+1])
		}
	}
	p.Emulate("screen", "dark")
	p.Screenshot("paths")
	p.click("Medici")
	p.WaitFor(around("Medici"))
	p.quiet()
	none := pageTest{b.Open(t, s.url+"#from=Peruzzi&to=Nobody", 1200, 800), t}
	none.WaitFor(`document.body.dataset.state === "failed" && document.getElementById("status").textContent.includes("no vertex is called")`)
}

// Arrows lead from vertex to vertex; letters and Enter act on the one with the focus.
func testKeyboard(t *testing.T, b *browsertest.Browser, s *running) {
	p := pageTest{b.Open(t, s.url+"#vertex=Medici&hops=1", 1200, 800), t}
	p.WaitFor(around("Medici"))
	browsertest.Eval[bool](p.Tab, `document.querySelector("#drawing .vertex[tabindex='0']").focus() || true`)
	focused := `document.activeElement.getAttribute("aria-label").split(",")[0]`
	p.same("the focus", focused, "Medici")
	for _, key := range []string{"ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"} {
		p.press(key)
	}
	p.press("ArrowDown")
	below := browsertest.Eval[string](p.Tab, focused)
	if below == "Medici" {
		t.Error("the arrow does not move the focus")
	}
	p.press("Enter")
	p.WaitFor(around(below))
	p.same("the focus after a move", focused, below)
	p.press("u")
	p.WaitFor(around("Medici"))
	browsertest.Eval[bool](p.Tab, vertexOf("Albizzi")+`.focus() || true`)
	p.press("a")
	p.WaitFor(around("Medici") + ` && ` + vertexCount + ` === 9`) // the Ginori and the Guadagni
	p.press("p")
	p.WaitFor(drawn + ` && document.getElementById("to").value === "Albizzi" && ` + vertexCount + ` === 2`)
	p.press("/")
	p.same("the focus after /", `document.activeElement.id`, "from")
	p.quiet()
}

// On a phone nothing is wider than the screen, and the drawing fits.
func testPhone(t *testing.T, b *browsertest.Browser, s *running) {
	p := pageTest{b.Open(t, s.url+"#graph=kronecker&vertex=17&limit=40", 360, 740), t}
	p.WaitFor(around("17"))
	p.WaitFor(`!document.getElementById("levels").hidden`)
	if wide := browsertest.Eval[float64](p.Tab, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the page is %v pixels wide", wide)
	}
	outside := `(() => { const box = document.getElementById("drawing").getBoundingClientRect();
		return [...document.querySelectorAll("#drawing .vertex circle")].map(c => c.getBoundingClientRect()).filter(c => c.left < box.left || c.right > box.right || c.top < box.top || c.bottom > box.bottom).length; })()`
	if n := browsertest.Eval[float64](p.Tab, outside); n > 0 {
		t.Errorf("%v circles are outside of the drawing", n)
	}
	covered := `(() => { const boxes = [...document.querySelectorAll("#drawing .name")].map(c => c.getBoundingClientRect());
		return boxes.filter((a, i) => boxes.some((b, j) => j < i && a.left + 1 < b.right && b.left + 1 < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)).length; })()`
	if n := browsertest.Eval[float64](p.Tab, covered); n > 0 {
		t.Errorf("%v labels cover others", n)
	}
	p.Screenshot("phone")
	p.quiet()
	paths := pageTest{b.Open(t, s.url+"#graph=long&from=a%20very%20long%20first%20name&to=a%20very%20long%20last%20name", 360, 740), t}
	paths.WaitFor(drawn + ` && ` + vertexCount + ` === 5`)
	hidden := `(() => { const circles = [...document.querySelectorAll("#drawing .vertex circle")].map(c => c.getBoundingClientRect());
		return [...document.querySelectorAll("#drawing .name")].map(c => c.getBoundingClientRect()).filter(a => circles.some(c => a.left < c.left && c.right < a.right && a.top < c.top && c.bottom < a.bottom)).length; })()`
	if n := browsertest.Eval[float64](paths.Tab, hidden); n > 0 {
		t.Errorf("%v labels cover circles", n)
	}
	paths.same("what is drawn", `document.querySelector("#left-list li").textContent`, "Drawn: 5 vertices and 4 edges.")
	paths.Screenshot("phone-paths")
	paths.quiet()
}

// Names are text, whatever they look like.
func testHostile(t *testing.T, b *browsertest.Browser, s *running) {
	p := pageTest{b.Open(t, s.url+"#graph=hostile&vertex=center&hops=1", 1000, 800), t}
	p.WaitFor(around("center") + fmt.Sprintf(` && %s === %d`, vertexCount, len(hostile)+1))
	p.WaitFor(`!document.getElementById("levels").hidden`)
	p.Screenshot("hostile")
	p.same("the title", `document.title`, "hops explore")
	if n := browsertest.Eval[float64](p.Tab, `document.querySelectorAll("#drawing script, #drawing img, main script, main img").length`); n > 0 {
		t.Errorf("names have become %v elements", n)
	}
	p.keepSaved()
	browsertest.Eval[bool](p.Tab, `document.querySelector("[data-save=csv]").click() || true`)
	p.WaitFor(`(text => text.includes("\n'=cmd|x,1,") && text.includes("\n'@SUM,1,") && !/^[=@+-]/m.test(text))(window.saved["text/csv"] || "")`)
	// One that is not UTF-8 is asked for by its number, and the link has it.
	p.click(`\u{dcff}\u{dcfe} not UTF-8`)
	p.WaitFor(around(`\u{dcff}\u{dcfe} not UTF-8`))
	again := pageTest{b.Open(t, browsertest.Eval[string](p.Tab, `location.href`), 1000, 800), t}
	again.WaitFor(around(`\u{dcff}\u{dcfe} not UTF-8`))
	p.quiet()
	again.quiet()
}

// keepSaved keeps what would be saved: the page makes files by URL.createObjectURL.
func (p pageTest) keepSaved() {
	browsertest.Eval[bool](p.Tab, `(() => { const make = URL.createObjectURL; window.saved = {};
		URL.createObjectURL = blob => { if (blob.type === "image/png") window.saved.png = blob.size; else blob.text().then(text => { window.saved[blob.type] = text; }); return make.call(URL, blob); };
		HTMLAnchorElement.prototype.click = function() { window.saved.name = this.download; }; return true; })()`)
}

// What is saved has the drawing in it: elements, vertices, edges, pixels.
func testExports(t *testing.T, b *browsertest.Browser, s *running) {
	p := pageTest{b.Open(t, s.url+"#graph=florence&vertex=Medici&hops=1", 1000, 800), t}
	p.WaitFor(around("Medici"))
	p.keepSaved()
	for kind, expression := range map[string]string{
		"csv": `(window.saved["text/csv"] || "").startsWith("vertex,hops,degree,parent\nMedici,0,6,\n") && window.saved["text/csv"].includes("\nAlbizzi,1,3,Medici\n")`,
		"dot": `(window.saved["text/vnd.graphviz"] || "").startsWith("graph {\n  n0 [label=\"Medici\"];\n") && window.saved["text/vnd.graphviz"].split(" -- ").length === 8`,
		"svg": `(() => { const svg = new DOMParser().parseFromString(window.saved["image/svg+xml"] || "", "image/svg+xml");
			return svg.documentElement.nodeName === "svg" && svg.querySelectorAll("circle").length > 7 && svg.documentElement.textContent.includes("Salviati") && svg.querySelector("[class], style, script") === null; })()`,
		"png": `window.saved.png > 5000`,
	} {
		browsertest.Eval[bool](p.Tab, fmt.Sprintf(`document.querySelector("[data-save=%s]").click() || true`, kind))
		p.WaitFor(fmt.Sprintf(`window.saved.name === "hops.%s"`, kind))
		p.WaitFor(expression)
	}
	p.quiet()
}

// Pages of other servers make the browser ask, by an image and by a script, and nothing is
// searched, whether they are on another port of this host or on another host. Their links to the
// page work.
func testOthers(t *testing.T, b *browsertest.Browser, s *running) {
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><a id="link" href="`+s.url+`#graph=florence&vertex=Medici">look</a>`)
	}))
	defer evil.Close()
	for _, site := range []string{evil.URL, strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)} {
		p := pageTest{b.Open(t, site, 800, 600), t}
		searches := func() (n int64) {
			for i := range s.counts.routes["/api/paths"].codes {
				n += s.counts.routes["/api/paths"].codes[i].Load()
			}
			return n
		}
		before := searches()
		address := s.url + "api/paths?from=Peruzzi&to=Pazzi"
		browsertest.Eval[bool](p.Tab, fmt.Sprintf(`(() => { window.settled = 0; const img = new Image(); img.onload = img.onerror = () => window.settled++; img.src = %q;
			fetch(%q, {mode: "no-cors"}).finally(() => window.settled++); return true; })()`, address, address))
		p.WaitFor(`window.settled === 2`)
		if n := searches() - before; n != 0 {
			t.Errorf("a page on %s made the server search %d times", site, n)
		}
		p.Do(chromedp.Click("#link"), chromedp.WaitReady("#from"))
		p.WaitFor(around("Medici"))
	}
}
