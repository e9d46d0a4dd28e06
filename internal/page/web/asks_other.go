//go:build !unix

package web

import "net"

// asks cannot be told here: places are given to whoever comes first.
func asks(net.Conn) bool { return true }
