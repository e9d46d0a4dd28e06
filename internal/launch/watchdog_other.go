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
