package explore

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops/graph"
)

// fetch asks with a header, and returns status and body.
func fetch(t testing.TB, client *http.Client, address, host string, header http.Header) (int, string) {
	t.Helper()
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	if host != "" {
		r.Host = host
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// Pages of others, and names of others that lead here, get nothing.
func TestHostAndOrigin(t *testing.T) {
	s := start(t, Options{}, Graph{"florence", florence(t)})
	for _, c := range []struct {
		host, origin string
		want         int
	}{
		{"", "", 200},
		{"localhost:1", "", 200},
		{"[::1]:9", "", 200},
		{"evil.example", "", 403},
		{"10.0.0.1", "", 403},
		{"", strings.TrimSuffix(s.url, "/"), 200},
		{"", "http://evil.example", 403},
		{"", "null", 403},
		{"", "https://" + s.address, 403},
	} {
		header := http.Header{}
		if c.origin != "" {
			header.Set("Origin", c.origin)
		}
		for _, path := range []string{"", "api/graphs", "metrics", "healthz"} {
			if got, _ := fetch(t, http.DefaultClient, s.url+path, c.host, header); got != c.want {
				t.Errorf("/%s by host %q from origin %q: %d, want %d", path, c.host, c.origin, got, c.want)
			}
		}
	}
}

func TestToken(t *testing.T) {
	_, h := handlerOf(t, Options{Token: "correct horse battery"}, Graph{"florence", florence(t)})
	server := &http.Server{Handler: h}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	for _, c := range []struct {
		path, authorization string
		want                int
	}{
		{"api/graphs", "", 401},
		{"api/graphs", "Bearer wrong", 401},
		{"api/graphs", "Bearer ", 401},
		{"api/graphs", "Bearer correct horse battery", 200},
		{"metrics", "", 401},
		{"metrics", "Bearer correct horse battery", 200},
		{"", "", 200},
		{"page.js", "", 200},
		{"openapi.json", "", 200},
		{"healthz", "", 200},
		{"readyz", "", 200},
	} {
		header := http.Header{}
		if c.authorization != "" {
			header.Set("Authorization", c.authorization)
		}
		if got, body := fetch(t, http.DefaultClient, "http://"+l.Addr().String()+"/"+c.path, "", header); got != c.want {
			t.Errorf("/%s with %q: %d, want %d: %s", c.path, c.authorization, got, c.want, body)
		}
	}
}

// The page may load its own files only.
func TestPolicy(t *testing.T) {
	s := start(t, Options{}, Graph{"florence", florence(t)})
	answer, err := http.Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	policy := answer.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy is %q", policy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
}

// Before the graphs are checked, the server lives and is not ready.
func TestNotReady(t *testing.T) {
	s, err := New([]Graph{{"florence", florence(t)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503, "/api/graphs": 503, "/api/path?from=Medici&to=Pazzi": 503, "/": 200} {
		askHandler(t, s.handler(), path, want, nil)
	}
	if err := s.check(t.Context()); err != nil {
		t.Fatal(err)
	}
	askHandler(t, s.handler(), "/readyz", 200, nil)
}

// A damaged file ends the server with an error that names it.
func TestDamagedGraph(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad.hops")
	if err := graph.Save(path, florence(t)); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	s, err := New([]Graph{{"bad", g}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context(), l, nil); err == nil || !strings.Contains(err.Error(), "bad.hops") {
		t.Error(err)
	}
}

// takeAll borrows all searchers of a server with one graph, and returns how to give them back.
func takeAll(s *Server) (giveBack func()) {
	line := s.graphs[0].searchers
	var all []*searcher
	for range cap(line.free) {
		all = append(all, <-line.free)
	}
	return func() {
		for _, one := range all {
			line.free <- one
		}
	}
}

const question = "api/path?from=Medici&to=Pazzi"

func TestBusy(t *testing.T) {
	s := start(t, Options{Timeout: time.Millisecond}, Graph{"florence", florence(t)})
	giveBack := takeAll(s.Server)
	defer giveBack()
	if status, body := fetch(t, http.DefaultClient, s.url+question, "", http.Header{}); status != 503 || !strings.Contains(body, "longer than 1ms") {
		t.Errorf("no searcher is free: %d, %s", status, body)
	}
	waiting := s.graphs[0].searchers.waiting
	waiting.Add(queue)
	defer waiting.Add(-queue)
	if status, body := fetch(t, http.DefaultClient, s.url+question, "", http.Header{}); status != 503 || !strings.Contains(body, "come back later") {
		t.Errorf("too many wait: %d, %s", status, body)
	}
}

// until waits for a condition, however busy the machine is.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(generous); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// A reader that goes does not keep its place.
func TestCancelled(t *testing.T) {
	s := start(t, Options{Timeout: generous}, Graph{"florence", florence(t)})
	giveBack := takeAll(s.Server)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", s.url+question, nil)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() { _, err := http.DefaultClient.Do(r); gone <- err }()
	line := s.graphs[0].searchers
	until(t, "the request waits", func() bool { return line.waiting.Load() == 1 })
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	until(t, "it waits no more", func() bool { return line.waiting.Load() == 0 })
	giveBack()
	if status, _ := fetch(t, http.DefaultClient, s.url+question, "", http.Header{}); status != 200 || line.busy() != 0 {
		t.Errorf("afterwards: %d, %d busy", status, line.busy())
	}
}

// Requests under way are answered when the server ends.
func TestGracefulEnd(t *testing.T) {
	s := start(t, Options{Timeout: generous}, Graph{"florence", florence(t)})
	giveBack := takeAll(s.Server)
	statuses := make(chan int, 1)
	go func() {
		answer, err := http.Get(s.url + question)
		if err != nil {
			statuses <- 0
			return
		}
		answer.Body.Close()
		statuses <- answer.StatusCode
	}()
	until(t, "the request waits", func() bool { return s.graphs[0].searchers.waiting.Load() == 1 })
	ended := make(chan error, 1)
	go func() { ended <- s.stop() }()
	until(t, "nobody listens", func() bool {
		conn, err := net.Dial("tcp", s.address)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	giveBack()
	if status := <-statuses; status != 200 {
		t.Errorf("the request under way got %d", status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A thousand connections that say nothing leave descriptors for others.
func TestIdleConnections(t *testing.T) {
	s := start(t, Options{}, Graph{"florence", florence(t)})
	var idle []net.Conn
	for range 1000 {
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		idle = append(idle, conn)
		if open := s.listener.Open(); open > mostConnections+1 { // one may be about to be closed
			t.Fatalf("%d connections are open", open)
		}
	}
	for _, conn := range idle {
		conn.Close()
	}
	until(t, "there is room again", func() bool {
		answer, err := http.Get(s.url + "healthz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == 200
	})
}

// certificate returns one for this host, and the pool that trusts it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// serveTLS serves a graph until the test ends. Clients that trust it have the pool.
func serveTLS(t *testing.T, o Options) (s *Server, address string, pool *x509.CertPool) {
	t.Helper()
	pair, pool := certificate(t)
	s, err := New([]Graph{{"florence", florence(t)}}, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, &tls.Config{Certificates: []tls.Certificate{pair}}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	until(t, "it is ready", s.ready.Load)
	return s, "https://" + l.Addr().String(), pool
}

func TestTLS(t *testing.T) {
	_, address, pool := serveTLS(t, Options{})
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	defer client.CloseIdleConnections()
	if status, body := fetch(t, client, address+"/"+question, "", http.Header{"Origin": {address}}); status != 200 || !strings.Contains(body, "Salviati") {
		t.Errorf("%d, %s", status, body)
	}
}

// Metrics are lines as Prometheus reads them, and count what was asked.
func TestMetrics(t *testing.T) {
	_, h := handlerOf(t, Options{}, Graph{"a \"quoted\" \\ name\n", florence(t)})
	for range 3 {
		askHandler(t, h, "/"+question, 200, nil)
	}
	askHandler(t, h, "/api/path?from=Medici&to=Nobody", 404, nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	s := w.Body.String()
	line := regexp.MustCompile(`^(# (HELP|TYPE) hops_\w+ .+|hops_\w+(\{\w+="([^"\\\n]|\\["\\n])*"(,\w+="([^"\\\n]|\\["\\n])*")*\})? [0-9.e+-]+)$`)
	for text := range strings.Lines(s) {
		if !line.MatchString(strings.TrimSuffix(text, "\n")) {
			t.Errorf("no line of Prometheus: %q", text)
		}
	}
	for _, want := range []string{
		`hops_requests_total{route="/api/path",code="2xx"} 3` + "\n", `hops_requests_total{route="/api/path",code="4xx"} 1` + "\n",
		`hops_request_seconds_count{route="/api/path"} 4` + "\n", `hops_request_seconds_bucket{route="/api/path",le="+Inf"} 4` + "\n",
		`hops_graph_edges{graph="a \"quoted\" \\ name\n"} 20` + "\n", "hops_memory_bytes ",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is missing in\n%s", want, s)
		}
	}
}

func TestTwoGraphsOfOneName(t *testing.T) {
	g := florence(t)
	if _, err := New([]Graph{{"a", g}, {"a", g}}, Options{}); err == nil {
		t.Error("two graphs have one name")
	}
	if _, err := New(nil, Options{}); err == nil {
		t.Error("a server without graphs")
	}
}
