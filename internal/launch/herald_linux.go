package launch

// The herald of a job whose launcher kills all at once.
//
// Hydra sends SIGKILL to all ranks when it sees one dead, often before any of them
// could say which. But it waits for everyone who holds their output open. So rank
// 0 starts one more process, in a session that Hydra does not reach, to which all
// ranks are connected: the herald says whose connection was closed first and ends
// with the last.
//
// Which was first is known to the kernel: epoll hands out what happened in the
// order in which it happened, however late the herald gets to run. But a rank that was
// reading the memory of one that dies may be aborted by its MPI library, and gone
// before the kernel has closed the connections of the other. So the last words of a
// rank go to the herald too, who then looks whether another one is dying already.

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Herald is what the herald does. It listens for the ranks, each of which knows the
// token; it ends when all have gone, or when alive ends before all have come.
func Herald(listener net.Listener, ranks int, token string, alive io.Reader, out io.Writer) error {
	go func() {
		_, _ = io.Copy(io.Discard, alive)
		listener.Close()
	}()
	h, err := newHerald(ranks)
	if err != nil {
		return err
	}
	_ = listener.(*net.TCPListener).SetDeadline(time.Now().Add(connectWithin))
	for len(h.ranks) < ranks {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		p, err := admit(conn, token)
		if err != nil {
			conn.Close()
			continue
		}
		if err := h.watch(p); err != nil {
			return err
		}
	}
	return h.wait(out)
}

type herald struct {
	epoll int
	ranks map[int32]*visitor // by file descriptor
}

// A visitor is a rank's connection.
type visitor struct {
	who  hello
	file *os.File
	bye  bool
	// crashing: it has said its last words.
	crashing bool
}

func newHerald(ranks int) (*herald, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	return &herald{epoll: epoll, ranks: make(map[int32]*visitor, ranks)}, err
}

func (h *herald) watch(p *peer) error {
	f, err := p.Conn.(*net.TCPConn).File()
	p.Conn.Close()
	if err != nil {
		return err
	}
	return h.receive(&visitor{who: p.who, file: f})
}

func (h *herald) receive(v *visitor) error {
	fd := int32(v.file.Fd())
	h.ranks[fd] = v
	return unix.EpollCtl(h.epoll, unix.EPOLL_CTL_ADD, int(fd), &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP, Fd: fd})
}

// wait announces the first rank that leaves without having said goodbye.
func (h *herald) wait(out io.Writer) error {
	announced := false
	announce := func(v *visitor) {
		if v != nil && !announced {
			announced = true
			fmt.Fprintf(out, "hops: rank %d failed: %v\n", v.who.Rank, v.who.death())
		}
	}
	events := make([]unix.EpollEvent, len(h.ranks))
	for len(h.ranks) > 0 {
		n, err := unix.EpollWait(h.epoll, events, -1)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range events[:n] {
			v := h.ranks[e.Fd]
			switch {
			case v.stays():
				if v.crashing {
					announce(h.dying(v))
				}
				continue
			case !v.bye:
				announce(v)
			}
			delete(h.ranks, e.Fd)
			v.file.Close()
		}
	}
	return nil
}

// dying returns a rank other than the one that crashes, and on the same host as the
// herald, which has lost its memory already, or nil.
func (h *herald) dying(crashing *visitor) *visitor {
	here, _ := os.Hostname()
	for _, v := range h.ranks {
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
func (v *visitor) stays() bool {
	said := make([]byte, 64)
	n, _, err := unix.Recvfrom(int(v.file.Fd()), said, unix.MSG_DONTWAIT)
	if n > 0 {
		bye := bytes.HasPrefix(said[:n], []byte("bye"))
		v.bye, v.crashing = v.bye || bye, v.crashing || !bye
	}
	return n > 0 || err == unix.EAGAIN
}
