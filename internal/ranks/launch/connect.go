package launch

// Connecting the ranks: rank 0 broadcasts an invitation over MPI, and the others try
// its addresses (listen.go) until one answers.

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// acceptPeers is rank 0's part: it broadcasts the invitation and accepts connections.
// It listens at the addresses at which all ranks can reach it.
func (w *watch) acceptPeers(c *comm, me hello, reachable []string, start StartWatchdog) error {
	l, err := listenAt(reachable)
	if err != nil {
		return err
	}
	defer l.close()
	me.Token = rand.Text()
	inv := invitation{hello: me, Addresses: l.addresses()}
	if start != nil {
		inv.Watchdog, _ = w.startWatchdog(start, reachable, c.Comm.Size, me.Token) // a run without it says less about a failure
	}
	encoded := make([]byte, invitationSize)
	text, err := json.Marshal(inv)
	if err != nil || len(text) > len(encoded) {
		return fmt.Errorf("telling where to connect takes %d bytes: %w", len(text), err)
	}
	copy(encoded, text)
	if err := c.broadcast(encoded); err != nil {
		return err
	}
	err = l.admitAll(c.Comm.Size-1, me.Token, func(p *peer) error {
		w.peers = append(w.peers, p)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%d of %d ranks connected: %w", len(w.peers), c.Comm.Size-1, err)
	}
	w.connectToWatchdog(inv, me)
	return nil
}

// strangers is how many connections beside the ranks' own may be open while the
// ranks connect: other programs that connect and say nothing. One more closes the oldest.
const strangers = 64

// A lobby has the connections that have not named their rank yet, the oldest first.
type lobby struct {
	mu      sync.Mutex
	waiting []net.Conn
}

// enter adds a connection, and closes the oldest where there are too many.
func (l *lobby) enter(conn net.Conn, most int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == most {
		l.waiting[0].Close()
		l.waiting = slices.Delete(l.waiting, 0, 1)
	}
	l.waiting = append(l.waiting, conn)
}

// leave takes a connection out, and returns false if it was closed.
func (l *lobby) leave(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.waiting, conn)
	if i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
	}
	return i >= 0
}

// admitAll accepts connections until so many processes with the token have connected,
// and hands each of these to take. It waits for several connections at a time, so that
// one that sends nothing does not keep others out.
func (l listeners) admitAll(want int, token string, take func(*peer) error) error {
	var (
		admitted = make(chan *peer)
		failed   = make(chan error, len(l))
		done     = make(chan struct{})
		lobby    lobby
	)
	defer close(done)
	greet := func(conn net.Conn) {
		p, err := admit(conn, token, &lobby)
		if err == nil {
			select {
			case admitted <- p:
				return
			case <-done:
			}
		}
		conn.Close()
	}
	for _, listener := range l {
		_ = listener.SetDeadline(time.Now().Add(connectWithin))
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					failed <- err
					return
				}
				lobby.enter(conn, want+strangers)
				go greet(conn)
			}
		}()
	}
	for range want {
		select {
		case p := <-admitted:
			if err := take(p); err != nil {
				return err
			}
		case err := <-failed:
			return err
		}
	}
	return nil
}

// startWatchdog starts the watchdog, sends it the number of ranks and the token by
// which it knows them, and returns the addresses that it listens at.
func (w *watch) startWatchdog(start StartWatchdog, reachable []string, ranks int, token string) ([]string, error) {
	l, err := listenAt(reachable)
	if err != nil {
		return nil, err
	}
	defer l.close()
	var files []*os.File
	for _, listener := range l {
		file, err := listener.File()
		if err != nil {
			return nil, err
		}
		defer file.Close()
		files = append(files, file)
	}
	if w.parent, err = start(files); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(w.parent, ranks, token); err != nil {
		return nil, err
	}
	return l.addresses(), nil
}

// connectToWatchdog connects to the watchdog, if there is one.
func (w *watch) connectToWatchdog(inv invitation, me hello) {
	if len(inv.Watchdog) > 0 {
		if w.watchdog, _ = dialAny(inv.Watchdog, me); w.watchdog != nil {
			w.watchdog.sendCrashOutput()
		}
	}
}

// sendCrashOutput makes the Go runtime send its message about a crash to the peer too.
func (p *peer) sendCrashOutput() {
	if f, err := p.Conn.(*net.TCPConn).File(); err == nil {
		_ = debug.SetCrashOutput(f, debug.CrashOptions{})
		f.Close()
	}
}

// broadcast copies rank 0's bytes to all ranks.
func (c *comm) broadcast(b []byte) error {
	r, err := c.Comm.Broadcast(b, 0)
	return c.complete(r, err, b)
}

// admit reads the hello of a connecting process in the lobby, and refuses one without the token.
func admit(conn net.Conn, token string, from *lobby) (*peer, error) {
	p := &peer{Conn: conn, in: bufio.NewReader(conn)}
	_ = conn.SetDeadline(time.Now().Add(connectWithin / 3)) // another program may connect and send nothing
	line, err := p.in.ReadSlice('\n')                       // a longer line than the buffer is not a hello
	if stays := from.leave(conn); err != nil || !stays {
		return nil, cmp.Or(err, net.ErrClosed)
	}
	if err := json.Unmarshal(line, &p.who); err != nil || p.who.Token != token {
		return nil, errors.New("a stranger")
	}
	_, err = fmt.Fprintln(conn, "welcome")
	return p, errors.Join(err, p.SetDeadline(time.Time{}))
}

// connectToRank0 is the other ranks' part: it receives the invitation and connects.
func (w *watch) connectToRank0(c *comm, me hello) error {
	encoded := make([]byte, invitationSize)
	if err := c.broadcast(encoded); err != nil {
		return err
	}
	var inv invitation
	if err := json.NewDecoder(strings.NewReader(string(encoded))).Decode(&inv); err != nil {
		return fmt.Errorf("rank 0's invitation: %w", err)
	}
	me.Token = inv.Token
	p, err := dialAny(inv.Addresses, me)
	for end := time.Now().Add(connectWithin); crowdedOut(err) && time.Now().Before(end); p, err = dialAny(inv.Addresses, me) {
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return fmt.Errorf("rank 0 on %s cannot be reached: %w", inv.Host, err)
	}
	p.who = inv.hello
	w.peers = []*peer{p}
	w.connectToWatchdog(inv, me)
	return nil
}

// crowdedOut tells whether a connection was closed before rank 0 has answered, which may have had
// too many of others.
func crowdedOut(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) }

// dialAny connects to the first address that answers.
func dialAny(addresses []string, me hello) (*peer, error) {
	var failures []error
	for _, address := range addresses {
		p, err := dial(address, me)
		if err == nil {
			return p, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// dial connects to an address and checks that the expected process answers: the same
// address may belong to another host's program.
func dial(address string, me hello) (*peer, error) {
	conn, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return nil, err
	}
	p := &peer{Conn: conn, in: bufio.NewReader(conn)}
	_ = conn.SetDeadline(time.Now().Add(connectWithin))
	text, _ := json.Marshal(me)
	if _, err = conn.Write(append(text, '\n')); err == nil {
		var line []byte
		if line, err = p.in.ReadSlice('\n'); err == nil && string(line) != "welcome\n" {
			err = fmt.Errorf("%s is not whom we look for", address)
		}
	}
	if err = errors.Join(err, p.SetDeadline(time.Time{})); err != nil {
		conn.Close()
		return nil, err
	}
	return p, nil
}
