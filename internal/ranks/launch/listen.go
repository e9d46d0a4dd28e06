package launch

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
)

// listeners accept connections at several addresses of this host.
type listeners []*net.TCPListener

// listenAt listens at the given addresses, on ports that the kernel chooses. Where some
// of them cannot be had, the others do.
func listenAt(ips []string) (listeners, error) {
	var l listeners
	var failures []error
	for _, ip := range ips {
		one, err := net.Listen("tcp", net.JoinHostPort(ip, "0"))
		if err != nil {
			failures = append(failures, err)
			continue
		}
		l = append(l, one.(*net.TCPListener))
	}
	if len(l) == 0 {
		return nil, fmt.Errorf("no address to listen at: %w", errors.Join(failures...))
	}
	return l, nil
}

func (l listeners) close() {
	for _, one := range l {
		_ = one.Close()
	}
}

// addresses are those to connect to.
func (l listeners) addresses() (list []string) {
	for _, one := range l {
		list = append(list, one.Addr().String())
	}
	return list
}

// loopback is the address that only processes of the same host reach.
const loopback = "127.0.0.1"

// reachable returns the addresses of this host at which all ranks can reach it: the
// loopback address if all ranks are on this host, and else the addresses of the
// interfaces from which routes lead to the other hosts. All ranks call it.
func (w *World) reachable() ([]string, error) {
	if slices.Max(w.hosts) == 0 {
		return []string{loopback}, nil
	}
	own := interfaceAddresses()
	all, err := w.gatherTexts(strings.Join(own, " "))
	if err != nil {
		return nil, err
	}
	var others []string
	for r, text := range all {
		if w.hosts[r] != w.hosts[w.Comm.Rank] {
			others = append(others, strings.Fields(text)...)
		}
	}
	if leading := leadingTo(others, own); len(leading) > 0 {
		return leading, nil
	}
	return own, nil
}

// interfaceAddresses are the addresses of this host that others may reach.
func interfaceAddresses() (list []string) {
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && !ip.IP.IsLinkLocalUnicast() {
			list = append(list, ip.IP.String())
		}
	}
	return list
}

// leadingTo returns the addresses of this host from which routes lead to any of the
// others. An address that both hosts have, such as a bridge for containers has,
// is of no use.
func leadingTo(others, own []string) (leading []string) {
	for _, other := range others {
		if slices.Contains(own, other) {
			continue
		}
		conn, err := net.Dial("udp", net.JoinHostPort(other, "9")) // which sends nothing
		if err != nil {
			continue
		}
		ip := conn.LocalAddr().(*net.UDPAddr).IP.String()
		_ = conn.Close()
		if slices.Contains(own, ip) && !slices.Contains(leading, ip) {
			leading = append(leading, ip)
		}
	}
	return leading
}
