//go:build !linux

package launch

import (
	"errors"
	"io"
	"net"
)

// Watchdog is written for Linux only.
func Watchdog(net.Listener, io.Reader, io.Writer) error {
	return errors.New("launch: there is no watchdog on this system")
}

// Share implements rank.Comm.
func (c *comm) Share(int64) ([]byte, error) {
	return nil, errors.New("launch: sharing memory between processes is written for Linux only")
}

func yieldProcessor() {}

func unmap([]byte) {}
