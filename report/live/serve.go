package live

import (
	"crypto/rand"
	_ "embed"
	"html/template"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gohops/hops/internal/page"
)

//go:embed live.html
var layout string

var shell = template.Must(template.New("live").Parse(layout))

const (
	// mostPages is how many may look at once.
	mostPages = 16
	// mostConnections is how many connections there are at once, idle ones included:
	// the run needs file descriptors too. A page takes two.
	mostConnections = 4 * mostPages
)

// limited is a listener that closes what connects beyond mostConnections.
type limited struct {
	net.Listener
	open atomic.Int64
}

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= mostConnections {
			return &counted{Conn: conn, open: &l.open}, nil
		}
		l.open.Add(-1)
		_ = conn.Close()
	}
}

// counted is a connection that counts as open until it is closed.
type counted struct {
	net.Conn
	open   *atomic.Int64
	closed atomic.Bool
}

// Close implements net.Conn.
func (c *counted) Close() error {
	if !c.closed.Swap(true) {
		c.open.Add(-1)
	}
	return c.Conn.Close()
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.servePage)
	mux.HandleFunc("GET /events", s.serveEvents)
	return s.guard(mux)
}

// guard answers only those who mean this server. A page of others could make a
// browser here ask for a name that leads to this host; its name gives it away.
func (s *Server) guard(next http.Handler) http.Handler {
	ip, _, _ := net.SplitHostPort(s.listener.Addr().String())
	private := net.ParseIP(ip).IsLoopback()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.Trim(host, "[]")
		if private && host != "localhost" && !net.ParseIP(host).IsLoopback() {
			http.Error(w, "this page is for the machine that it runs on", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
			http.Error(w, "this page is not for pages of others", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) servePage(w http.ResponseWriter, _ *http.Request) {
	nonce := rand.Text()
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src data:; connect-src 'self'; style-src 'unsafe-inline'; script-src 'nonce-"+nonce+"'")
	h.Set("X-Content-Type-Options", "nosniff")
	_ = shell.Execute(w, map[string]any{ // the reader may have gone
		"Nonce": nonce, "CSS": template.CSS(page.CSS), "Title": s.title(), "Subtitle": s.about.Engine,
	})
}

// serveEvents sends what is known, then news, and last the end.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	news := make(chan []byte, 1)
	s.mu.Lock()
	if len(s.pages) >= mostPages {
		s.mu.Unlock()
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	s.pages[news] = true
	if !s.ended && time.Since(s.drawn) >= every { // pages that come and go do not make it draw more often
		s.drawn, s.latest = time.Now(), s.view()
	}
	first := s.latest
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.pages, news)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	stream := http.NewResponseController(w)
	send := func(event []byte) bool {
		_ = stream.SetWriteDeadline(time.Now().Add(timeout))
		_, err := w.Write(event)
		return err == nil && stream.Flush() == nil
	}
	for ok := send(first); ok; {
		select {
		case event := <-news:
			ok = send(event)
		case <-s.quit:
			s.mu.Lock()
			last := s.latest
			s.mu.Unlock()
			send(last)
			return
		case <-r.Context().Done():
			return
		}
	}
}
