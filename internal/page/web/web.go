// Package web is what the pages that hops serves have in common: where they listen, who
// may ask, and how many at once.
package web

import (
	"bytes"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Local returns an address that names this host if it names none: ":8080" or "8080" is
// a port of this host for this host, "host:8080" one for whoever reaches it.
func Local(address string) string {
	if !strings.Contains(address, ":") {
		address = ":" + address
	}
	if strings.HasPrefix(address, ":") {
		return "127.0.0.1" + address
	}
	return address
}

// Private tells whether only this host reaches an address.
func Private(address net.Addr) bool {
	host, _, err := net.SplitHostPort(address.String())
	return err == nil && net.ParseIP(host).IsLoopback()
}

// Guard answers programs and the server's own pages only. A page of another server can make a
// browser ask for images, or for answers that the page may not read, and it can have a name that
// leads to this host. Browsers tell by Host, Origin and Sec-Fetch-Site. A link to the page, the
// path "/", may be anywhere. private says that the server is for this host only.
func Guard(next http.Handler, private bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case private && !isLocal(r.Host):
			http.Error(w, "this page is for the machine that it runs on", http.StatusForbidden)
		case !isOwn(r):
			http.Error(w, "this page is not for pages of others", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isLocal tells whether a host, with a port or without, is this one.
func isLocal(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// isOwn tells whether a request comes from a page of this server, from a program, or from a link
// to the page that somebody follows.
func isOwn(r *http.Request) bool {
	own := "http://" + r.Host
	if r.TLS != nil {
		own = "https://" + r.Host
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != own {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none": // "none" is an address that was typed
		return true
	}
	return r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// A Listener closes what connects beyond a number of connections, idle ones included:
// a process has few file descriptors. It closes some and then rests: strangers that knock again
// and again wait in the kernel, where they cost the process nothing. The last quarter of the places
// is for those who have asked something by the time that it is their turn, as browsers do at once.
type Listener struct {
	net.Listener
	most   int64
	open   atomic.Int64
	closed atomic.Int64 // connections for which there was no place
}

// A listener accepts nobody for a while after it has closed some connections. Many at once cost less than one
// now and then, which wakes a thread each time. 100 a second cost less than 1 % of a core
// (docs/results/robustness.md); fewer would let a reader wait longer behind strangers.
const (
	atOnce = 50
	rest   = time.Second / 2
)

// Limit returns a listener for at most so many connections at once.
func Limit(l net.Listener, most int) *Listener { return &Listener{Listener: l, most: int64(most)} }

// Open is the number of connections now.
func (l *Listener) Open() int64 { return l.open.Load() }

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if now := l.open.Add(1); now <= l.most-l.most/4 || now <= l.most && asks(conn) {
			return &counted{Conn: conn, open: &l.open}, nil
		}
		l.open.Add(-1)
		_ = conn.Close()
		if l.closed.Add(1)%atOnce == 0 {
			time.Sleep(rest)
		}
	}
}

// whole tells whether what somebody has sent so far is the head of a request, or as long as one. The
// beginning of an encrypted connection is longer.
func whole(sent []byte) bool {
	return len(sent) >= longHead || bytes.Contains(sent, []byte("\r\n\r\n"))
}

// longHead is the length in bytes from which on a head is not waited for.
const longHead = 200

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
