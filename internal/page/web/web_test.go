package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestOnlyThisMachineUnlessAsked(t *testing.T) {
	for address, want := range map[string]string{
		":80": "127.0.0.1:80", "80": "127.0.0.1:80", "0.0.0.0:80": "0.0.0.0:80", "[::1]:80": "[::1]:80", "host:80": "host:80",
	} {
		if got := Local(address); got != want {
			t.Errorf("%q listens at %q, want %q", address, got, want)
		}
	}
}

// Browsers say who makes them ask. Pages of others get nothing, whatever they use: a script, an
// image, a form, a frame. A link to the page may be anywhere; one to its answers is none.
func TestPagesOfOthers(t *testing.T) {
	guarded := Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), true)
	link := http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"navigate"}, "Sec-Fetch-Dest": {"document"}}
	frame := http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"navigate"}, "Sec-Fetch-Dest": {"iframe"}}
	for _, c := range []struct {
		what, path string
		header     http.Header
		want       int
	}{
		{"a program", "/api/path", nil, 200},
		{"the page", "/api/path", http.Header{"Sec-Fetch-Site": {"same-origin"}}, 200},
		{"an address that was typed", "/api/path", http.Header{"Sec-Fetch-Site": {"none"}}, 200},
		{"an image of others", "/api/path", http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"no-cors"}, "Sec-Fetch-Dest": {"image"}}, 403},
		{"an image on the page's path", "/", http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"no-cors"}, "Sec-Fetch-Dest": {"image"}}, 403},
		{"a server on another port", "/api/path", http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		{"what nobody knows yet", "/api/path", http.Header{"Sec-Fetch-Site": {"elsewhere"}}, 403},
		{"a link to the page", "/", link, 200},
		{"a link to an answer", "/api/path", link, 403},
		{"a frame with the page", "/", frame, 403},
		{"a script of others", "/api/path", http.Header{"Origin": {"http://evil.example"}}, 403},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "http://localhost"+c.path, nil)
		if c.header != nil {
			r.Header = c.header
		}
		if guarded.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%s, %s: %d, want %d", c.what, c.path, w.Code, c.want)
		}
	}
}

// crowd is a listener at which somebody knocks as often as it is asked.
type crowd struct {
	net.Listener
	knocks int
}

func (c *crowd) Accept() (net.Conn, error) {
	c.knocks++
	here, there := net.Pipe()
	_ = there.Close()
	return here, nil
}

// However many knock, few are looked at while all places are taken, and the first who comes when one is
// free gets in.
func TestStrangersWaitOutside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 3
		outside := &crowd{}
		l := Limit(outside, most+1) // the last place is for somebody who asks
		var inside []net.Conn
		for range most {
			conn, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			inside = append(inside, conn)
		}
		began := time.Now()
		go func() {
			time.Sleep(time.Second)
			_ = inside[0].Close()
			_ = inside[0].Close() // a second time it frees no place
		}()
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if waited := time.Since(began); waited < time.Second || waited > time.Second+rest {
			t.Errorf("let in after %v, want one second", waited)
		}
		if most := atOnce*(int(time.Second/rest)+1) + most + 1; outside.knocks > most {
			t.Errorf("%d connections were accepted in a second, want at most %d", outside.knocks, most)
		}
		if l.Open() != most {
			t.Errorf("%d connections are open, want %d", l.Open(), most)
		}
	})
}

// While strangers hold all other places and more of them knock, who asks gets in at the first try,
// and nobody but who asks.
func TestReadersPassStrangers(t *testing.T) {
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := Limit(outside, 8)
	defer l.Close()
	knock := func(says string) net.Conn {
		conn, err := net.Dial("tcp", outside.Addr().String())
		if err == nil {
			_, err = conn.Write([]byte(says))
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	const places = 6
	for range places + 2*atOnce {
		knock("GET")
	}
	reader := knock("GET / HTTP/1.1\r\nHost: here\r\n\r\n")
	for i := range places + 1 {
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if isReader := conn.RemoteAddr().String() == reader.LocalAddr().String(); isReader != (i == places) {
			t.Errorf("connection %d: it is %t that it has asked something", i, isReader)
		}
	}
	if l.Open() != places+1 {
		t.Errorf("%d connections are open, want %d", l.Open(), places+1)
	}
}

func TestWhole(t *testing.T) {
	for sent, want := range map[string]bool{
		"": false, "GET / HTTP/1.1\r\n": false, "GET / HTTP/1.1\r\n\r\n": true,
		strings.Repeat("x", longHead-1): false, strings.Repeat("x", longHead): true,
	} {
		if got := whole([]byte(sent)); got != want {
			t.Errorf("%.40q is whole: %t, want %t", sent, got, want)
		}
	}
}
