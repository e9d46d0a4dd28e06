package launch

import (
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohops/hops/internal/ranks/rank"
)

// watchOfOne returns a watch with one peer, rank 1, and the peer's end of the connection.
func watchOfOne(t *testing.T) (*watch, net.Conn) {
	t.Helper()
	l, err := listenAt([]string{loopback})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	admitted := make(chan *peer, 1)
	go func() {
		_ = l.admitAll(1, "token", func(p *peer) error { admitted <- p; return nil })
	}()
	far, err := dial(l.addresses()[0], hello{Token: "token", Rank: 1, PID: 4711, Host: "afar"})
	if err != nil {
		t.Fatal(err)
	}
	near := <-admitted
	t.Cleanup(func() { _, _ = far.Close(), near.Close() })
	w := &watch{state: &processState{failed: make(chan struct{})}, peers: []*peer{near}, left: make(chan struct{})}
	w.readers.Add(1)
	go w.awaitEnd(near)
	return w, far
}

func (w *watch) wantFailure(t *testing.T, of int, why string) {
	t.Helper()
	<-w.state.failed
	f := (*rank.Failure)(nil)
	if err := w.state.err(); !errors.As(err, &f) || f.Rank != of || !strings.Contains(err.Error(), why) {
		t.Errorf("%v, want that rank %d failed and %q", err, of, why)
	}
}

// A peer that keeps its connection and says nothing has failed; one that beats has not,
// however long.
func TestSilentPeersFail(t *testing.T) {
	w, far := watchOfOne(t)
	go w.keepBeating(time.Millisecond)
	for range 10 * maxSilence {
		if _, err := far.Write([]byte("beat\n")); err != nil {
			t.Fatal(err)
		}
		if n := w.peers[0].silence.Load(); n > maxSilence {
			break // this test was too slow to beat
		}
		time.Sleep(time.Millisecond)
	}
	w.wantFailure(t, 1, "process 4711 on afar has not answered for 10ms")
}

// A peer that has said goodbye may be silent.
func TestPeersThatLeftMayBeSilent(t *testing.T) {
	w, far := watchOfOne(t)
	if _, err := far.Write([]byte("bye\n")); err != nil {
		t.Fatal(err)
	}
	w.readers.Wait()
	beating := make(chan struct{})
	go func() {
		w.keepBeating(time.Millisecond)
		close(beating)
	}()
	for w.peers[0].silence.Load() <= 3*maxSilence && w.state.err() == nil {
		time.Sleep(time.Millisecond)
	}
	close(w.left)
	<-beating
	if err := w.state.err(); err != nil {
		t.Error(err)
	}
}

// News of a failure arrives whatever its text; a line without end is cut off.
func TestLinesOfPeers(t *testing.T) {
	w, far := watchOfOne(t)
	other := &watch{state: &processState{}, peers: []*peer{{Conn: far}}}
	other.announce(&rank.Failure{Rank: 7, Cause: errors.New(strings.Repeat("no \x00 luck\n", 10_000))})
	w.wantFailure(t, 7, "no \x00 luck\nno ")

	w, far = watchOfOne(t)
	go func() {
		for err := error(nil); err == nil; {
			_, err = far.Write([]byte(strings.Repeat("x", 1<<16)))
		}
	}()
	w.wantFailure(t, 1, `it said "xxx`)
}

// Rank 0 listens where the other ranks are, and nowhere else.
func TestListeningAddresses(t *testing.T) {
	own := interfaceAddresses()
	if got := leadingTo(own, own); len(got) > 0 {
		t.Errorf("this host's own addresses lead to %v", got)
	}
	if got := leadingTo([]string{"127.0.0.2", "127.0.0.3", "no address"}, []string{"10.0.0.1", loopback}); !slices.Equal(got, []string{loopback}) {
		t.Errorf("%v lead to other addresses of this host", got)
	}
	l, err := listenAt([]string{"no address", loopback})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if ip := l[0].Addr().(*net.TCPAddr).IP; len(l) != 1 || !ip.IsLoopback() {
		t.Errorf("listens at %v", l.addresses())
	}
	if _, err := listenAt(nil); err == nil {
		t.Error("listens nowhere")
	}
}
