package launch

// Detection of failed ranks.
//
// Rank 0 listens; every other rank connects to it when it joins. A connection is silent
// until its process ends:
//
//	bye                  the process ends normally
//	fail RANK "why"      a rank has failed; rank 0 forwards this to all
//	(closed)             the process died, and the kernel closed the connection
//
// So all ranks learn of a death within a round trip or two, whatever they are doing:
// the goroutines here share no lock with the rest of the program. A host that
// disappears with its network closes no connection; keep-alive probes by the kernels
// notice that within four seconds.
//
// Rejected: a connection between every two ranks, which saves a hop and costs
// n²/2 connections; heartbeats by the program, which an overloaded machine
// delays until healthy ranks look dead.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/gohops/hops/internal/rank"
)

// connectWithin is how long ranks may take to connect to rank 0. They start at about
// the same time; only an overloaded machine delays one by seconds.
const connectWithin = 60 * time.Second

// keepAlive makes the kernel notice a vanished peer within four seconds.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: time.Second, Interval: time.Second, Count: 3}

// A watch holds one rank's connections: rank 0 has one to every other rank, the others
// have one to rank 0.
type watch struct {
	state    *processState
	peers    []*peer
	watchdog *peer          // connection to the watchdog; nil without one
	parent   io.WriteCloser // rank 0's pipe to the watchdog; nil if this process did not start it
	readers  sync.WaitGroup // goroutines that read from peers
}

// A peer is the process at the other end of a connection.
type peer struct {
	net.Conn
	in    *bufio.Reader
	who   hello
	write sync.Mutex
}

// A hello is what a process sends about itself when it connects.
type hello struct {
	Token string
	Rank  int
	PID   int
	Host  string
}

// death returns the cause of a failure of which only the closed connection is known.
func (h hello) death() error { return fmt.Errorf("process %d on %s died", h.PID, h.Host) }

// An invitation is what rank 0 broadcasts over MPI: where the other ranks connect.
type invitation struct {
	hello
	Addresses []string
	Watchdog  []string // addresses of the watchdog, if there is one
}

// invitationSize is the size of an encoded invitation in bytes: enough for the
// addresses of a host with many interfaces.
const invitationSize = 1 << 14

// startWatch connects the ranks. It uses MPI once, to broadcast where rank 0 listens.
func startWatch(c *comm, start StartWatchdog) (*watch, error) {
	w := &watch{state: c.state}
	c.state.announce = w.announce
	host, _ := os.Hostname()
	me := hello{Rank: c.Comm.Rank, PID: os.Getpid(), Host: host}
	var err error
	if me.Rank == 0 {
		err = w.acceptPeers(c, me, start)
	} else {
		err = w.connectToRank0(c, me)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range w.peers {
		w.readers.Add(1)
		go w.awaitEnd(p)
	}
	go watchLauncher(c.state)
	return w, c.Barrier()
}

// awaitEnd waits for the end of a peer, or for its news of another rank's failure.
func (w *watch) awaitEnd(p *peer) {
	defer w.readers.Done()
	line, err := p.in.ReadString('\n')
	var who int
	var why string
	switch {
	case err != nil:
		w.state.fail(p.who.Rank, p.who.death())
	case line == "bye\n":
	default:
		if _, err := fmt.Sscanf(line, "fail %d %q", &who, &why); err != nil {
			who, why = p.who.Rank, fmt.Sprintf("it said %.60q", line)
		}
		w.state.fail(who, errors.New(why))
	}
}

// announce sends a failure to the peers: rank 0 to all ranks, the others to rank 0. It
// does not wait for a peer that no longer reads.
func (w *watch) announce(f *rank.Failure) {
	for _, p := range w.peers {
		w.send(p, fmt.Sprintf("fail %d %q\n", f.Rank, f.Cause.Error()))
	}
	w.leaveWatchdog()
}

// leaveWatchdog tells the watchdog that the end of this rank is no failure.
func (w *watch) leaveWatchdog() {
	if w.watchdog != nil {
		w.send(w.watchdog, "bye\n")
	}
}

func (w *watch) send(p *peer, line string) {
	p.write.Lock()
	defer p.write.Unlock()
	_ = p.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = p.Write([]byte(line))
}

// leave says "bye" to the peers, and returns when they have said it too. Rank 0 is the
// last to say it, so no process ends before all ranks are about to.
func (w *watch) leave() {
	goodbye := func() {
		for _, p := range w.peers {
			w.send(p, "bye\n")
		}
	}
	if w.state.rank == 0 {
		w.readers.Wait()
		goodbye()
	} else {
		goodbye()
		w.readers.Wait()
	}
	w.leaveWatchdog()
	if w.parent != nil {
		w.parent.Close()
	}
	for _, p := range w.peers {
		p.Close()
	}
}
