//go:build unix

package web

import (
	"net"
	"syscall"
)

// asks tells whether a connection has sent a request by now, which it leaves there.
func asks(conn net.Conn) (yes bool) {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) {
		var head [2 * longHead]byte
		n, _, err := syscall.Recvfrom(int(fd), head[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		yes = err == nil && whole(head[:n])
	})
	return yes && err == nil
}
