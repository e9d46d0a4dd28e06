package launch

// How the ranks find each other: rank 0 invites the others through MPI, and they
// knock at its addresses until one answers.

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

// invite is rank 0's side.
func (w *watch) invite(c *comm, me hello, start StartWatchdog) error {
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
	letter := make([]byte, invitationSize)
	text, err := json.Marshal(inv)
	if err != nil || len(text) > len(letter) {
		return fmt.Errorf("telling where to connect takes %d bytes: %w", len(text), err)
	}
	copy(letter, text)
	if err := c.broadcast(letter); err != nil {
		return err
	}
	_ = listener.(*net.TCPListener).SetDeadline(time.Now().Add(connectWithin))
	for len(w.peers) < c.Comm.Size-1 {
		conn, err := listener.Accept()
		if err != nil {
			return fmt.Errorf("%d of %d ranks connected: %w", len(w.peers), c.Comm.Size-1, err)
		}
		if p, err := admit(conn, me.Token); err == nil {
			w.peers = append(w.peers, p)
		} else {
			conn.Close()
		}
	}
	w.meetWatchdog(inv, me)
	return nil
}

// startWatchdog starts the watchdog, tells it the number of ranks and the token by
// which it knows them, and returns the addresses where it listens.
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

// meetWatchdog connects to the watchdog, if there is one.
func (w *watch) meetWatchdog(inv invitation, me hello) {
	if len(inv.Watchdog) > 0 {
		if w.watchdog, _ = reach(inv.Watchdog, me); w.watchdog != nil {
			w.watchdog.sendCrashes()
		}
	}
}

// sendCrashes lets the Go runtime write the message of a crash to this connection too.
func (p *peer) sendCrashes() {
	if f, err := p.Conn.(*net.TCPConn).File(); err == nil {
		_ = debug.SetCrashOutput(f, debug.CrashOptions{})
		f.Close()
	}
}

// broadcast brings rank 0's bytes to all.
func (c *comm) broadcast(b []byte) error {
	r, err := c.Comm.Broadcast(b, 0)
	return c.complete(r, err, b)
}

// addresses are all that a listener may be reached by, the nearest first.
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

// admit reads who connects. Strangers do not know the token.
func admit(conn net.Conn, token string) (*peer, error) {
	p := &peer{Conn: conn, in: bufio.NewReader(conn)}
	_ = conn.SetDeadline(time.Now().Add(connectWithin / 3)) // a stranger may say nothing
	line, err := p.in.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(line, &p.who); err != nil || p.who.Token != token {
		return nil, errors.New("a stranger")
	}
	_, err = fmt.Fprintln(conn, "welcome")
	return p, errors.Join(err, p.settle())
}

// settle prepares a connection for a long silence.
func (p *peer) settle() error {
	return errors.Join(p.SetDeadline(time.Time{}), p.Conn.(*net.TCPConn).SetKeepAliveConfig(keepAlive))
}

// accept is the other ranks' side.
func (w *watch) accept(c *comm, me hello) error {
	letter := make([]byte, invitationSize)
	if err := c.broadcast(letter); err != nil {
		return err
	}
	var inv invitation
	if err := json.NewDecoder(strings.NewReader(string(letter))).Decode(&inv); err != nil {
		return fmt.Errorf("rank 0's invitation: %w", err)
	}
	me.Token = inv.Token
	p, err := reach(inv.Addresses, me)
	if err != nil {
		return fmt.Errorf("rank 0 on %s cannot be reached: %w", inv.Host, err)
	}
	p.who = inv.hello
	w.peers = []*peer{p}
	w.meetWatchdog(inv, me)
	return nil
}

// reach connects to the first address that answers.
func reach(addresses []string, me hello) (*peer, error) {
	var failures []error
	for _, address := range addresses {
		p, err := knock(address, me)
		if err == nil {
			return p, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// knock connects to an address, where someone else may live.
func knock(address string, me hello) (*peer, error) {
	conn, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return nil, err
	}
	p := &peer{Conn: conn, in: bufio.NewReader(conn)}
	_ = conn.SetDeadline(time.Now().Add(connectWithin))
	text, _ := json.Marshal(me)
	if _, err = conn.Write(append(text, '\n')); err == nil {
		var line string
		if line, err = p.in.ReadString('\n'); err == nil && line != "welcome\n" {
			err = fmt.Errorf("%s is not whom we look for", address)
		}
	}
	if err = errors.Join(err, p.settle()); err != nil {
		conn.Close()
		return nil, err
	}
	return p, nil
}
