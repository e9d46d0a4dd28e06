package launch

// Who is still alive.
//
// Rank 0 listens; every other rank connects to it when it joins. A connection
// is silent until its process ends:
//
//	bye                  it ends as it should
//	fail RANK "why"      a rank has failed; rank 0 passes it on to all
//	(closed)             the process is dead: the kernel closed it
//
// So all ranks know of a death within a round trip or two, whatever they are
// doing: the goroutines here share no lock with the rest of the program. A host
// that disappears with its network closes nothing; keep-alive probes by the
// kernels notice that within four seconds.
//
// Rejected: a connection between every two ranks, which saves a hop and costs
// n²/2 connections; heartbeats by the program, which an overloaded machine
// delays until healthy ranks look dead.

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gohops/hops/internal/rank"
)

// connectWithin is how long ranks have to find rank 0. They start together; only
// an overloaded machine keeps them apart.
const connectWithin = 60 * time.Second

var keepAlive = net.KeepAliveConfig{Enable: true, Idle: time.Second, Interval: time.Second, Count: 3}

// A watch is one rank's connections: rank 0 has one to every other, the others
// have one to rank 0.
type watch struct {
	fate   *fate
	peers  []*peer
	herald *peer          // nil: there is none
	gone   sync.WaitGroup // readers whose connection still lives
}

// A peer is the other end of a connection.
type peer struct {
	net.Conn
	in    *bufio.Reader
	who   hello
	write sync.Mutex
}

// hello is what a rank says of itself when it connects.
type hello struct {
	Token string
	Rank  int
	PID   int
	Host  string
}

// death is the cause of a failure that only the kernel could tell of.
func (h hello) death() error { return fmt.Errorf("process %d on %s died", h.PID, h.Host) }

// invitation is what rank 0 tells the others through MPI.
type invitation struct {
	hello
	Addresses []string
	Herald    []string // its addresses, if there is one
}

// invitationSize is room for the addresses of a host with many interfaces.
const invitationSize = 1 << 14

// stand connects the ranks. It uses MPI once, to say where rank 0 listens.
func stand(c *comm, herald StartHerald) (*watch, error) {
	w := &watch{fate: c.fate}
	c.fate.tell = w.tell
	host, _ := os.Hostname()
	me := hello{Rank: c.Comm.Rank, PID: os.Getpid(), Host: host}
	var err error
	if me.Rank == 0 {
		err = w.invite(c, me, herald)
	} else {
		err = w.accept(c, me)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range w.peers {
		w.gone.Add(1)
		go w.listen(p)
	}
	go guardLauncher(c.fate)
	return w, c.Barrier()
}

// invite is rank 0's side.
func (w *watch) invite(c *comm, me hello, herald StartHerald) error {
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		return err
	}
	defer listener.Close()
	me.Token = rand.Text()
	inv := invitation{hello: me, Addresses: addresses(listener.Addr())}
	if herald != nil {
		inv.Herald, _ = appoint(herald, c.Comm.Size, me.Token) // without, a run is only less talkative
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
	w.meetHerald(inv, me)
	return nil
}

// appoint starts the herald and tells where it listens.
func appoint(start StartHerald, ranks int, token string) ([]string, error) {
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
	if err := start(file, ranks, token); err != nil {
		return nil, err
	}
	return addresses(listener.Addr()), nil
}

// meetHerald connects to the herald, if there is one.
func (w *watch) meetHerald(inv invitation, me hello) {
	if len(inv.Herald) > 0 {
		w.herald, _ = reach(inv.Herald, me)
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
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
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
	w.meetHerald(inv, me)
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

// listen waits for the end of a peer.
func (w *watch) listen(p *peer) {
	defer w.gone.Done()
	line, err := p.in.ReadString('\n')
	var who int
	var why string
	switch {
	case err != nil:
		w.fate.fail(p.who.Rank, p.who.death())
	case line == "bye\n":
	default:
		if _, err := fmt.Sscanf(line, "fail %d %q", &who, &why); err != nil {
			who, why = p.who.Rank, fmt.Sprintf("it said %.60q", line)
		}
		w.fate.fail(who, errors.New(why))
	}
}

// tell passes a failure on: to all from rank 0, otherwise to rank 0. It must not
// wait for a peer that no longer reads.
func (w *watch) tell(f *rank.Failure) {
	for _, p := range w.peers {
		w.send(p, fmt.Sprintf("fail %d %q\n", f.Rank, f.Cause.Error()))
	}
	w.dismiss()
}

// dismiss tells the herald that this rank's end will be no news.
func (w *watch) dismiss() {
	if w.herald != nil {
		w.send(w.herald, "bye\n")
	}
}

func (w *watch) send(p *peer, line string) {
	p.write.Lock()
	defer p.write.Unlock()
	_ = p.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = p.Write([]byte(line))
}

// leave says goodbye, and returns when the others have.
func (w *watch) leave() {
	for _, p := range w.peers {
		w.send(p, "bye\n")
	}
	w.dismiss()
	w.gone.Wait()
	for _, p := range w.peers {
		p.Close()
	}
}
