package launch

// Detection of failed ranks.
//
// Rank 0 listens; every other rank connects to it when it joins. Both ends of a
// connection send lines:
//
//	beat                 the process runs; sent every second
//	bye                  the process ends normally
//	fail RANK "why"      a rank has failed; rank 0 forwards this to all
//	(closed)             the process died, and the kernel closed the connection
//
// So all ranks learn of a death within a round trip or two, whatever they are doing:
// the goroutines here share no lock with the rest of the program. A process that was
// stopped, and a host that disappears with its network, close no connection: the
// process at the other end counts the beats that it sends without hearing one.
// Because it counts what it does itself and no time, a whole job that was suspended
// goes on, and a process that is slow on a loaded host gives others as much longer.
//
// Rejected: a connection between every two ranks, which saves a hop and costs
// n²/2 connections (so a network that fails between two hosts, neither of which has
// rank 0, is left to MPI); keep-alive probes by the kernels, which a stopped
// process still answers.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohops/hops/internal/ranks/rank"
)

// connectWithin is how long ranks may take to connect to rank 0. They start at about
// the same time; only an overloaded machine delays one by seconds.
const connectWithin = 60 * time.Second

const (
	// beat is how often a process tells its peers that it runs.
	beat = time.Second
	// maxSilence is how many beats a process sends to a peer without hearing one
	// before the peer counts as failed. Fewer find a stopped rank sooner; more forgive
	// a host that stops all threads of a process for longer, as when it swaps.
	maxSilence = 10
)

// A watch holds one rank's connections: rank 0 has one to every other rank, the others
// have one to rank 0.
type watch struct {
	state    *processState
	peers    []*peer
	watchdog *peer          // connection to the watchdog; nil without one
	parent   io.WriteCloser // rank 0's pipe to the watchdog; nil if this process did not start it
	readers  sync.WaitGroup // goroutines that read from peers
	left     chan struct{}  // closed when all have said goodbye
}

// A peer is the process at the other end of a connection.
type peer struct {
	net.Conn
	in      *bufio.Reader
	who     hello
	silence atomic.Int32 // beats sent to it since it was last heard
	byeRead atomic.Bool  // it has announced its end

	write   sync.Mutex
	byeSent bool // guarded by write
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
func startWatch(c *comm, reachable []string, start StartWatchdog) (*watch, error) {
	w := &watch{state: c.state, left: make(chan struct{})}
	c.state.announce = w.announce
	host, _ := os.Hostname()
	me := hello{Rank: c.Comm.Rank, PID: os.Getpid(), Host: host}
	var err error
	if me.Rank == 0 {
		err = w.acceptPeers(c, me, reachable, start)
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
	go w.keepBeating(beat)
	go watchLauncher(c.state)
	return w, c.Barrier()
}

// awaitEnd waits for the end of a peer, or for its news of another rank's failure. A
// line that is longer than the buffer of the reader is none of ours.
func (w *watch) awaitEnd(p *peer) {
	defer w.readers.Done()
	for {
		line, err := p.in.ReadSlice('\n')
		p.silence.Store(0)
		var who int
		var why string
		switch {
		case err == nil && string(line) == "beat\n":
			continue
		case err == nil && string(line) == "bye\n":
			p.byeRead.Store(true)
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			w.state.fail(p.who.Rank, p.who.death())
		default:
			if _, err := fmt.Sscanf(string(line), "fail %d %q\n", &who, &why); err != nil {
				who, why = p.who.Rank, fmt.Sprintf("it said %.60q", line)
			}
			w.state.fail(who, errors.New(why))
		}
		return
	}
}

// keepBeating sends a beat to all peers every so often, and fails a peer that has not
// been heard for too many of them.
func (w *watch) keepBeating(every time.Duration) {
	for tick := time.NewTicker(every); ; {
		select {
		case <-w.left:
			return
		case <-w.state.failed:
			return
		case <-tick.C:
		}
		for _, p := range w.peers {
			w.send(p, "beat\n")
			if p.silence.Add(1) > maxSilence && !p.byeRead.Load() {
				w.state.fail(p.who.Rank, fmt.Errorf("process %d on %s has not answered for %v: it is stopped, or its host cannot be reached",
					p.who.PID, p.who.Host, maxSilence*every))
			}
		}
	}
}

// announce sends a failure to the peers: rank 0 to all ranks, the others to rank 0. It
// does not wait for a peer that no longer reads.
func (w *watch) announce(f *rank.Failure) {
	for _, p := range w.peers {
		w.send(p, fmt.Sprintf("fail %d %.300q\n", f.Rank, f.Cause.Error()))
	}
	w.leaveWatchdog()
}

// leaveWatchdog tells the watchdog that the end of this rank is no failure.
func (w *watch) leaveWatchdog() {
	if w.watchdog != nil {
		w.send(w.watchdog, "bye\n")
	}
}

// send sends a line, unless the last one was sent before.
func (w *watch) send(p *peer, line string) {
	p.write.Lock()
	defer p.write.Unlock()
	if p.byeSent {
		return
	}
	p.byeSent = line == "bye\n"
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
	close(w.left)
	w.leaveWatchdog()
	if w.parent != nil {
		w.parent.Close()
	}
	for _, p := range w.peers {
		p.Close()
	}
}
