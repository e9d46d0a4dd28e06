package launch

// Connecting the ranks: rank 0 broadcasts an invitation over MPI, and the others try
// its addresses until one answers.

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"strings"
	"time"
)

// acceptPeers is rank 0's part: it broadcasts the invitation and accepts connections.
func (w *watch) acceptPeers(c *comm, me hello, start StartWatchdog) error {
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		return err
	}
	defer listener.Close()
	me.Token = rand.Text()
	inv := invitation{hello: me, Addresses: addresses(listener.Addr())}
	if start != nil {
		inv.Watchdog, _ = w.startWatchdog(start, c.Comm.Size, me.Token) // a run without it says less about a failure
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
	err = admitAll(listener, c.Comm.Size-1, me.Token, func(p *peer) error {
		w.peers = append(w.peers, p)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%d of %d ranks connected: %w", len(w.peers), c.Comm.Size-1, err)
	}
	w.connectToWatchdog(inv, me)
	return nil
}

// strangers is how many connections, beyond those of the ranks, may be open while the
// ranks connect: other programs that connect and say nothing.
const strangers = 64

// admitAll accepts connections until so many processes with the token have connected,
// and hands each of these to take. It waits for several connections at a time, so that
// one that sends nothing keeps nobody out.
func admitAll(listener net.Listener, want int, token string, take func(*peer) error) error {
	_ = listener.(*net.TCPListener).SetDeadline(time.Now().Add(connectWithin))
	var (
		admitted = make(chan *peer)
		failed   = make(chan error, 1)
		done     = make(chan struct{})
		places   = make(chan struct{}, want+strangers)
	)
	defer close(done)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				failed <- err
				return
			}
			select {
			case places <- struct{}{}:
			default:
				conn.Close()
				continue
			}
			go func() {
				defer func() { <-places }()
				p, err := admit(conn, token)
				if err == nil {
					select {
					case admitted <- p:
						return
					case <-done:
					}
				}
				conn.Close()
			}()
		}
	}()
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
func (w *watch) startWatchdog(start StartWatchdog, ranks int, token string) ([]string, error) {
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if w.parent, err = start(file); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(w.parent, ranks, token); err != nil {
		return nil, err
	}
	return addresses(listener.Addr()), nil
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

// addresses returns all addresses at which a listener may be reached, the loopback
// address first.
func addresses(listening net.Addr) []string {
	port := listening.(*net.TCPAddr).Port
	list := []string{fmt.Sprintf("127.0.0.1:%d", port)}
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && !ip.IP.IsLinkLocalUnicast() {
			list = append(list, (&net.TCPAddr{IP: ip.IP, Port: port}).String())
		}
	}
	return list
}

// admit reads the hello of a connecting process, and refuses one without the token.
func admit(conn net.Conn, token string) (*peer, error) {
	p := &peer{Conn: conn, in: bufio.NewReader(conn)}
	_ = conn.SetDeadline(time.Now().Add(connectWithin / 3)) // another program may connect and send nothing
	line, err := p.in.ReadSlice('\n')                       // a longer line than the buffer is not a hello
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(line, &p.who); err != nil || p.who.Token != token {
		return nil, errors.New("a stranger")
	}
	_, err = fmt.Fprintln(conn, "welcome")
	return p, errors.Join(err, p.awaitSilently())
}

// awaitSilently removes the deadline and turns on keep-alive probes, since nothing is
// sent over the connection until its end.
func (p *peer) awaitSilently() error {
	return errors.Join(p.SetDeadline(time.Time{}), p.Conn.(*net.TCPConn).SetKeepAliveConfig(keepAlive))
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
	if err != nil {
		return fmt.Errorf("rank 0 on %s cannot be reached: %w", inv.Host, err)
	}
	p.who = inv.hello
	w.peers = []*peer{p}
	w.connectToWatchdog(inv, me)
	return nil
}

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
	if err = errors.Join(err, p.awaitSilently()); err != nil {
		conn.Close()
		return nil, err
	}
	return p, nil
}
