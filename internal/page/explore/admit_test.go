package explore

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/edge"
)

// Of a hundred requests of one connection a few are worked at. The others wait until their time
// is over, and are told to come back; a request of another connection does not wait for them.
func TestAConnectionHasFewPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 100
		s, err := New([]Graph{{"florence", florence(t)}}, Options{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		end := make(chan struct{})
		h := s.admit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
		ask := func(conn context.Context) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(conn, "GET", "/", nil))
			return w
		}
		greedy, other := newClient(t.Context(), nil), newClient(t.Context(), nil)
		answers := make(chan *httptest.ResponseRecorder, many)
		for range many {
			go func() { answers <- ask(greedy) }()
		}
		synctest.Wait()
		if n := s.atWork.Load(); n != perClient {
			t.Errorf("%d requests of one connection are at work, want %d", n, perClient)
		}
		go ask(other)
		synctest.Wait()
		if n := s.atWork.Load(); n != perClient+1 {
			t.Errorf("%d requests of two connections are at work, want %d", n, perClient+1)
		}
		began := time.Now()
		for range many - perClient {
			if w := <-answers; w.Code != 503 || w.Header().Get("Retry-After") == "" {
				t.Fatalf("a request that waits in vain gets %d, %v", w.Code, w.Header())
			}
		}
		if took := time.Since(began); took != time.Minute {
			t.Errorf("they waited for %v", took)
		}
		close(end)
		synctest.Wait()
		if n := s.atWork.Load(); n != 0 || len(answers) != perClient {
			t.Errorf("%d requests are at work in the end, %d were answered", n, len(answers))
		}
	})
}

// While too many requests are open, a connection with many is refused more, and one with few is not.
func TestTooManyAreOpen(t *testing.T) {
	s, err := New([]Graph{{"florence", florence(t)}}, Options{Timeout: generous})
	if err != nil {
		t.Fatal(err)
	}
	s.open.Add(mostRequests)
	greedy, other := newClient(t.Context(), nil), newClient(t.Context(), nil)
	greedy.Value(clientKey{}).(*client).open.Add(mostRequests / mostConnections)
	for _, c := range []struct {
		conn context.Context
		want int
	}{{greedy, 503}, {other, 200}} {
		w := httptest.NewRecorder()
		s.admit(s.handler()).ServeHTTP(w, httptest.NewRequestWithContext(c.conn, "GET", "/healthz", nil))
		if w.Code != c.want || (w.Header().Get("Retry-After") != "") != (c.want == 503) {
			t.Errorf("%d, %v, want %d", w.Code, w.Header(), c.want)
		}
	}
	if s.open.Load() != mostRequests {
		t.Errorf("%d requests are open", s.open.Load())
	}
}

// When a crowd has left, its memory is given back, once.
func TestMemoryIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New([]Graph{{"florence", florence(t)}}, Options{Timeout: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		var given atomic.Int64
		s.giveBack = func() { given.Add(1) }
		for _, c := range []struct{ many, want int64 }{{crowd, 0}, {crowd + 1, 1}, {3, 1}} {
			end := make(chan struct{})
			h := s.admit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
			conn := newClient(t.Context(), nil)
			for range c.many {
				go h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(conn, "GET", "/", nil))
			}
			synctest.Wait()
			close(end)
			synctest.Wait()
			if n := given.Load(); n != c.want {
				t.Errorf("after %d requests memory was given back %d times, want %d", c.many, n, c.want)
			}
		}
	})
}

// A pipeListener is the end of a server of connections in memory, whose time is the bubble's.
type pipeListener struct {
	net.Listener
	conns chan net.Conn
	done  chan struct{}
}

func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
func (l pipeListener) Close() error   { close(l.done); return nil }

func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// serveSlow runs a test of clients that take their time, in a bubble where a minute is nothing:
// the server of a chain whose path is a long answer, and how to connect to it.
func serveSlow(t *testing.T, test func(t *testing.T, s *Server, dial func() net.Conn)) {
	const length = 8000
	var edges []hops.Edge
	for v := range hops.Vertex(length) {
		edges = append(edges, hops.Edge{U: v, V: v + 1})
	}
	g := build(t, edge.List(edges, length+1))
	synctest.Test(t, func(t *testing.T) {
		s, err := New([]Graph{{"line", g}}, Options{Searchers: 1})
		if err == nil {
			err = s.check(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		l := pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
		server := s.http(l.Addr(), nil)
		go func() { _ = server.Serve(l) }()
		defer server.Close()
		test(t, s, func() net.Conn {
			here, there := net.Pipe()
			l.conns <- there
			return here
		})
	})
}

const (
	asked    = " HTTP/1.1\r\nHost: localhost\r\n\r\n"
	longPath = "/api/path?from=0&to=8000&limit=10000"
)

// quick asks on a connection of its own and wants an answer before any time has passed.
func quick(t *testing.T, dial func() net.Conn) {
	t.Helper()
	conn, began := dial(), time.Now()
	defer conn.Close()
	_, err := io.WriteString(conn, "GET /api/path?from=1&to=2"+asked)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != 200 || time.Since(began) != 0 {
		t.Errorf("meanwhile another client gets %v after %v: %v", answer, time.Since(began), err)
	}
}

// drip writes one byte a second until the other end has had enough, and returns for how long.
func drip(t *testing.T, conn net.Conn, text string) time.Duration {
	t.Helper()
	go func() { _, _ = io.Copy(io.Discard, conn) }()
	began := time.Now()
	for i := range len(text) {
		if _, err := conn.Write([]byte{text[i]}); err != nil {
			return time.Since(began)
		}
		time.Sleep(time.Second)
	}
	t.Error("all of it was taken")
	return 0
}

// Clients that send the head or the body of a request a byte a second are cut off in seconds.
func TestSlowWriters(t *testing.T) {
	serveSlow(t, func(t *testing.T, _ *Server, dial func() net.Conn) {
		for _, text := range []string{
			"GET " + longPath + asked,
			"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 1000),
		} {
			conn := dial()
			quick(t, dial)
			if took := drip(t, conn, text); took > headerTimeout+time.Second {
				t.Errorf("a slow head was read for %v", took)
			}
		}
		for _, head := range []string{"POST /api/graphs", "GET /api/graphs", "GET /metrics", "GET /"} {
			conn := dial()
			if _, err := io.WriteString(conn, head+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if took := drip(t, conn, strings.Repeat("x", 1000)); took > headerTimeout+time.Second {
				t.Errorf("%s: a slow body was read for %v", head, took)
			}
			quick(t, dial)
		}
	})
}

// A client that takes a byte a second of a long answer keeps no searcher, and is cut off when
// the time to write is over.
func TestSlowReaders(t *testing.T) {
	serveSlow(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		for _, path := range []string{longPath, "/page.js", "/openapi.json", "/metrics"} {
			conn := dial()
			defer conn.Close()
			began := time.Now()
			if _, err := io.WriteString(conn, "GET "+path+asked); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if n := s.graphs[0].searchers.busy(); n != 0 {
				t.Errorf("%s: %d searchers wait for a reader", path, n)
			}
			if s.atWork.Load() != 1 {
				t.Errorf("%s: the answer fits into what is sent ahead", path)
			}
			quick(t, dial)
			for one := make([]byte, 1); ; time.Sleep(time.Second) {
				if _, err := conn.Read(one); err != nil {
					break
				}
			}
			if took := time.Since(began); took > DefaultTimeout+writeTimeout+time.Second {
				t.Errorf("%s: it was written for %v", path, took)
			}
			if synctest.Wait(); s.atWork.Load() != 0 {
				t.Errorf("%s: it is still written", path)
			}
		}
	})
}

// Thousands of requests over a few connections of HTTP/2 beside a client that asks one after the
// other: few of them are at work at any time, all are answered, and so is the client.
func TestStreamsAreRequests(t *testing.T) {
	const conns, streams = 20, 250
	if testing.Short() {
		t.Skip("asks thousands of times")
	}
	s, address, pool := serveTLS(t, Options{Timeout: generous})
	address += "/"
	until(t, "names are indexed", func() bool { _, _, done := s.graphs[0].names.Complete("B", 1); return done })
	client := func() *http.Client {
		c := &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true,
		}}
		t.Cleanup(c.CloseIdleConnections)
		if status, _ := fetch(t, c, address+"healthz", "", http.Header{}); status != 200 { // one connection for all that follows
			t.Fatal(status)
		}
		return c
	}
	var busy sync.WaitGroup
	var most atomic.Int64
	for range conns {
		c := client()
		for i := range streams {
			busy.Go(func() {
				if status, body := fetch(t, c, fmt.Sprintf("%sapi/names?typed=%c", address, 'a'+i%26), "", http.Header{}); status != 200 {
					t.Errorf("a name gets %d: %s", status, body)
				}
				for now := s.atWork.Load(); ; {
					if old := most.Load(); now <= old || most.CompareAndSwap(old, now) {
						return
					}
				}
			})
		}
	}
	alone := client()
	for range 50 {
		if status, body := fetch(t, alone, address+question, "", http.Header{}); status != 200 {
			t.Errorf("a path gets %d: %s", status, body)
		}
	}
	busy.Wait()
	if n := most.Load(); n == 0 || n > (conns+1)*perClient {
		t.Errorf("up to %d requests were at work, want at most %d for each of %d connections", n, perClient, conns+1)
	}
}
