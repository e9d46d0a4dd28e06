package launch

// The watchdog is one more process of a job whose launcher kills all ranks at once.
//
// Hydra sends SIGKILL to all ranks when it sees one of them dead, often before any
// of them could say which one. But Hydra waits for every process that holds the
// ranks' output open. So rank 0 starts the watchdog, in a session that Hydra does not
// reach. All ranks connect to it. It reports the rank whose connection was closed
// first, and ends when the last connection is closed.
//
// The kernel knows the order: epoll returns events in the order in which they
// happened, however late the watchdog runs. But a rank that was reading the memory
// of a dying rank may be aborted by its MPI library, and be gone before the kernel
// has closed the connections of the other. So the Go runtime of a rank that crashes
// writes its message to the watchdog too, which then looks for another rank that has
// already lost its memory.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// Watchdog is what the watchdog does. Its parameters are the first line of parent, a
// pipe from rank 0: see startWatchdog. It ends when all ranks have gone, or when
// parent ends before all of them have connected to one of the listeners.
func Watchdog(files []*os.File, parent io.Reader, out io.Writer) error {
	l, err := listenersOf(files)
	if err != nil {
		return err
	}
	in := bufio.NewReader(parent)
	var ranks int
	var token string
	if _, err := fmt.Fscanln(in, &ranks, &token); err != nil {
		return fmt.Errorf("launch: parameters of the watchdog: %w", err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		l.close()
	}()
	d, err := newWatchdog(ranks)
	if err != nil {
		return err
	}
	if err := l.admitAll(ranks, token, d.watch); err != nil {
		return err
	}
	return d.wait(out)
}

// listenersOf returns the listeners that the files are, and closes the files.
func listenersOf(files []*os.File) (l listeners, err error) {
	for _, f := range files {
		one, failed := net.FileListener(f)
		_ = f.Close()
		if failed != nil {
			err = failed
			continue
		}
		l = append(l, one.(*net.TCPListener))
	}
	return l, err
}

type watchdog struct {
	epoll int
	ranks map[int32]*watched // by file descriptor
}

// A watched is a rank's connection.
type watched struct {
	who      hello
	file     *os.File
	bye      bool // the rank has announced its end
	crashing bool // the rank has sent the message of a crash
}

func newWatchdog(ranks int) (*watchdog, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	return &watchdog{epoll: epoll, ranks: make(map[int32]*watched, ranks)}, err
}

func (d *watchdog) watch(p *peer) error {
	f, err := p.Conn.(*net.TCPConn).File()
	p.Conn.Close()
	if err != nil {
		return err
	}
	return d.add(&watched{who: p.who, file: f})
}

func (d *watchdog) add(v *watched) error {
	fd := int32(v.file.Fd())
	d.ranks[fd] = v
	return unix.EpollCtl(d.epoll, unix.EPOLL_CTL_ADD, int(fd), &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP, Fd: fd})
}

// wait reports the first rank that leaves without having said goodbye.
func (d *watchdog) wait(out io.Writer) error {
	reported := false
	report := func(v *watched) {
		if v != nil && !reported {
			reported = true
			fmt.Fprintf(out, "hops: rank %d failed: %v\n", v.who.Rank, v.who.death())
		}
	}
	events := make([]unix.EpollEvent, len(d.ranks))
	for len(d.ranks) > 0 {
		n, err := unix.EpollWait(d.epoll, events, -1)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range events[:n] {
			v := d.ranks[e.Fd]
			switch {
			case v.stays():
				if v.crashing {
					report(d.dying(v))
				}
				continue
			case !v.bye:
				report(v)
			}
			delete(d.ranks, e.Fd)
			v.file.Close()
		}
	}
	return nil
}

// dying returns another rank on this host that has already lost its memory, or nil.
func (d *watchdog) dying(crashing *watched) *watched {
	here, _ := os.Hostname()
	for _, v := range d.ranks {
		if v == crashing || v.bye || v.who.Host != here {
			continue
		}
		pages, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", v.who.PID))
		if err != nil || bytes.HasPrefix(pages, []byte("0 ")) {
			return v
		}
	}
	return nil
}

// stays reads what a rank says, and tells whether it is still there.
func (v *watched) stays() bool {
	said := make([]byte, 64)
	n, _, err := unix.Recvfrom(int(v.file.Fd()), said, unix.MSG_DONTWAIT)
	if n > 0 {
		bye := bytes.HasPrefix(said[:n], []byte("bye"))
		v.bye, v.crashing = v.bye || bye, v.crashing || !bye
	}
	return n > 0 || err == unix.EAGAIN
}
