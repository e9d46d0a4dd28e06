package live

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/testing/browsertest"
)

const hostile = `<script>document.title="pwned"</script>`

func about() graph500.Result {
	return graph500.Result{Engine: hostile, Config: graph500.Config{Scale: 20, EdgeFactor: 16, Roots: 64}}
}

func search(i int) graph500.Search {
	return graph500.Search{
		Root: hops.Vertex(i), Time: time.Duration(i+1) * time.Millisecond, Vertices: 100, Edges: 1000, Clock: "wall", Validate: time.Second,
		Levels: []hops.Level{{Step: hostile, Frontier: 1, Examined: 7, Found: 99, Time: time.Millisecond}},
	}
}

// never is longer than anything takes on a busy machine.
const never = 2 * time.Minute

// start starts a server that cuts off no page because the machine is busy.
func start(t *testing.T) *Server {
	t.Helper()
	return startFor(t, never)
}

func startFor(t *testing.T, limit time.Duration) *Server {
	t.Helper()
	s, err := startWith(":0", about(), limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(nil, nil) })
	return s
}

func TestOnlyThisMachineUnlessAsked(t *testing.T) {
	s := start(t)
	if host, _, _ := net.SplitHostPort(s.listener.Addr().String()); !net.ParseIP(host).IsLoopback() {
		t.Errorf("%s can be reached by others", host)
	}
	if _, err := Start("nonsense:port:", about()); err == nil || !strings.HasPrefix(err.Error(), "live: ") {
		t.Error(err)
	}
}

// A name that leads here from elsewhere is an attack on the browser.
func TestOtherNamesAreRefused(t *testing.T) {
	s := start(t)
	for host, want := range map[string]int{"": 200, "localhost:1": 200, "127.0.0.1": 200, "[::1]:9": 200, "evil.example": 403, "10.0.0.1": 403} {
		r, err := http.NewRequest("GET", s.URL(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%q gets %d, want %d", host, answer.StatusCode, want)
		}
	}
}

// Pages of other servers may not read what this one sends.
func TestOtherOriginsAreRefused(t *testing.T) {
	s := start(t)
	for origin, want := range map[string]int{"": 200, strings.TrimSuffix(s.URL(), "/"): 200, "http://evil.example": 403, "null": 403} {
		r, err := http.NewRequest("GET", s.URL(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("origin %q gets %d, want %d", origin, answer.StatusCode, want)
		}
	}
}

// Connections that say nothing leave descriptors for the run, and room for a page once
// they have been cut off.
func TestIdleConnectionsAreFew(t *testing.T) {
	s := startFor(t, timeout)
	var idle []net.Conn
	for range 400 {
		conn, err := net.Dial("tcp", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		idle = append(idle, conn)
	}
	// The server accepts in the order of the connections, so it has seen all of them
	// when it has closed the last.
	if _, err := idle[len(idle)-1].Read(make([]byte, 1)); err == nil {
		t.Error("an idle connection is answered")
	}
	open := 0
	for _, conn := range idle {
		if isOpen(t, conn) {
			open++
		}
	}
	if open > mostConnections {
		t.Errorf("%d idle connections are open", open)
	}
	for deadline := time.Now().Add(never); ; time.Sleep(50 * time.Millisecond) {
		if answer, err := http.Get(s.URL()); err == nil {
			answer.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("idle connections keep pages out")
		}
	}
}

// isOpen tells whether the other end has neither closed a connection nor sent anything.
func isOpen(t *testing.T, conn net.Conn) (open bool) {
	t.Helper()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) {
			_, _, peeked := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			open = errors.Is(peeked, syscall.EAGAIN)
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return open
}

// A reader that connects again and again does not make the server draw each time.
func TestReconnectingDrawsOnceASecond(t *testing.T) {
	s := start(t)
	var events [][]byte
	began := time.Now()
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, "GET", s.URL()+"events", nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := http.DefaultClient.Do(r); err == nil {
			s.mu.Lock()
			if n := len(events); n == 0 || &events[n-1][0] != &s.latest[0] {
				events = append(events, s.latest)
			}
			s.mu.Unlock()
			answer.Body.Close()
		}
		cancel()
	}
	if most := 2 + int(time.Since(began)/every)*2; len(events) > most {
		t.Errorf("drew %d times in %v", len(events), time.Since(began))
	}
}

// events returns all that a page is told until the end of the run.
func events(t *testing.T, s *Server) <-chan string {
	t.Helper()
	answer, err := http.Get(s.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	all := make(chan string, 1)
	go func() {
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		all <- string(text)
	}()
	return all
}

func TestPagesAreToldHowItEnds(t *testing.T) {
	s := start(t)
	early := events(t, s)
	s.Planned(graph500.MemoryPlan{})
	s.Begin(graph500.Searches, 64, "searches")
	for i := range 2*window + 10 {
		s.Searched(search(i))
	}
	if len(s.searches) > 2*window {
		t.Errorf("%d searches are kept", len(s.searches))
	}
	s.Close(nil, errors.New("it rains"))
	text := <-early
	if !strings.Contains(text, `"status":"The run has ended early: it rains."`) || !strings.HasSuffix(text, "event: end\ndata: {}\n\n") {
		t.Errorf("%.300q ... %.100q", text, text[max(0, len(text)-100):])
	}
	if strings.Contains(text, "<script") {
		t.Error("a name has become an element")
	}
	if _, err := http.Get(s.URL()); err == nil {
		t.Error("the server goes on")
	}
	s.Close(nil, nil) // again
}

// A page that reads nothing holds up neither the run nor its end for long.
func TestAPageThatSleeps(t *testing.T) {
	s := startFor(t, timeout)
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for pages := 0; pages == 0; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		pages = len(s.pages)
		s.mu.Unlock()
	}
	s.Begin(graph500.Searches, 64, "searches")
	began := time.Now()
	s.mu.Lock()
	s.publish(make([]byte, 64<<20)) // more than any socket takes
	s.mu.Unlock()
	for i := range 64 {
		s.Searched(search(i))
	}
	s.Close(nil, nil)
	if d := time.Since(began); d > never {
		t.Errorf("64 searches and the end took %v", d)
	}
}

// pipes is a listener for connections in memory, whose time is that of their bubble.
type pipes struct {
	net.Listener
	conns chan net.Conn
}

func (pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
func (l pipes) Close() error { close(l.conns); return nil }

func (l pipes) Accept() (net.Conn, error) {
	if conn, ok := <-l.conns; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

// What takes the page, or says what it wants, a byte a second is cut off, and others go on. A
// page that listens is not, however long nothing happens.
func TestSlowClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pipes{conns: make(chan net.Conn)}
		s := newServer(l, about(), timeout)
		go func() { _ = s.server.Serve(l) }()
		ask := func(text string) net.Conn {
			here, there := net.Pipe()
			l.conns <- there
			if _, err := io.WriteString(here, text+" HTTP/1.1\r\nHost: localhost\r\n"); err != nil {
				t.Fatal(err)
			}
			return here
		}
		listens := ask("GET /events")
		if _, err := io.WriteString(listens, "\r\n"); err != nil {
			t.Fatal(err)
		}
		cut := make(chan error, 1)
		go func() { _, err := io.Copy(io.Discard, listens); cut <- err }()
		for what, rest := range map[string]string{"the page": "\r\n", "a head": "X: ", "a body": "Content-Length: 1000\r\n\r\n"} {
			conn, began := ask("GET /"), time.Now()
			if _, err := io.WriteString(conn, rest); err != nil {
				t.Fatal(err)
			}
			one := make([]byte, 1)
			for err := error(nil); err == nil; time.Sleep(time.Second) {
				if what == "the page" {
					_, err = conn.Read(one)
				} else {
					go func() { _, _ = io.Copy(io.Discard, conn) }()
					_, err = conn.Write([]byte("x"))
				}
			}
			if took := time.Since(began); took > 3*timeout {
				t.Errorf("%s goes on for %v", what, took)
			}
		}
		time.Sleep(time.Hour)
		select {
		case err := <-cut:
			t.Errorf("a page that listens was cut off: %v", err)
		default:
		}
		_ = s.server.Close()
		<-cut
	})
}

// Nothing is drawn for nobody.
func TestNobodyLooks(t *testing.T) {
	s := start(t)
	s.Begin(graph500.Searches, 64, "searches")
	s.Searched(search(1))
	time.Sleep(every + every/4)
	s.Searched(search(2))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.latest != nil {
		t.Error("a page was drawn")
	}
}

func TestTooManyPages(t *testing.T) {
	s := start(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for i := range mostPages + 1 {
		r, _ := http.NewRequestWithContext(ctx, "GET", s.URL()+"events", nil)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if want := map[bool]int{true: 200, false: 503}[i < mostPages]; answer.StatusCode != want {
			t.Errorf("page %d gets %d, want %d", i+1, answer.StatusCode, want)
		}
	}
}

func TestLiveInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := browsertest.Start(t)
	s := start(t)
	tab := b.Open(t, s.URL(), 1000, 900)
	s.Begin(graph500.Construct, 1000, "edges")
	s.Advance(250)
	tab.WaitFor(`document.getElementById("status").textContent.includes("construct: 250 of 1 k edges")`)
	if v := browsertest.Eval[float64](tab, `document.getElementById("bar").value`); v != 0.25 {
		t.Errorf("the bar is at %v", v)
	}
	s.Begin(graph500.Searches, 64, "searches")
	for i := range 16 {
		s.Searched(search(i))
	}
	for i := 16; !browsertest.Eval[bool](tab, `document.querySelectorAll("svg.plot").length >= 5`); i++ {
		s.Searched(search(i)) // a page that is slow misses some of what is drawn
		time.Sleep(every / 3)
	}
	tab.WaitFor(`document.body.innerText.includes("The last search")`)
	tab.Screenshot("live")
	res := about()
	for i := range 64 {
		res.Searches = append(res.Searches, search(i))
	}
	summary, err := graph500.Summarize(res.Searches, true)
	if err != nil {
		t.Fatal(err)
	}
	res.Summary, res.Submittable = summary, true
	s.Close(&res, nil)
	tab.WaitFor(`document.body.dataset.state === "ended"`)
	text := browsertest.Eval[string](tab, `document.body.innerText`)
	for _, want := range []string{"The run is finished.", "harmonic mean of 64 searches", "by the rules of the Graph500", hostile} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	if title := browsertest.Eval[string](tab, `document.title`); title != "Graph500 at scale 20" {
		t.Errorf("the title is %q", title)
	}
	tab.Screenshot("live-ended")
	if p := tab.Problems(); len(p) > 0 {
		t.Errorf("the browser says %q", p)
	}
}
