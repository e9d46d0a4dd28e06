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
	"errors"
	"fmt"
	"io"
	"net"
	"os"
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
	fate     *fate
	peers    []*peer
	watchdog *peer          // nil: there is none
	parent   io.WriteCloser // rank 0's pipe to the watchdog; nil: this process did not start it
	gone     sync.WaitGroup // readers whose connection still lives
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
	Watchdog  []string // its addresses, if there is one
}

// invitationSize is room for the addresses of a host with many interfaces.
const invitationSize = 1 << 14

// stand connects the ranks. It uses MPI once, to say where rank 0 listens.
func stand(c *comm, start StartWatchdog) (*watch, error) {
	w := &watch{fate: c.fate}
	c.fate.tell = w.tell
	host, _ := os.Hostname()
	me := hello{Rank: c.Comm.Rank, PID: os.Getpid(), Host: host}
	var err error
	if me.Rank == 0 {
		err = w.invite(c, me, start)
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

// dismiss tells the watchdog that the end of this rank is no failure.
func (w *watch) dismiss() {
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

// leave says goodbye, and returns when the others have. Rank 0 speaks last, so that
// nobody is gone before all are about to go.
func (w *watch) leave() {
	goodbye := func() {
		for _, p := range w.peers {
			w.send(p, "bye\n")
		}
	}
	if w.fate.rank == 0 {
		w.gone.Wait()
		goodbye()
	} else {
		goodbye()
		w.gone.Wait()
	}
	w.dismiss()
	if w.parent != nil {
		w.parent.Close()
	}
	for _, p := range w.peers {
		p.Close()
	}
}
