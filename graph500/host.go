package graph500

import (
	"os"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/base/topo"
)

// A Host is what is known about the hardware of a run. A zero field is unknown.
type Host = topo.Facts

// The parts of a Host.
type (
	// A CPUSet is a set of logical CPUs by number. As text it is what the kernel
	// writes, such as "0-3,8".
	CPUSet = topo.CPUs
	// A Node is a NUMA node: CPUs and the memory next to them.
	Node = topo.Node
	// A Cache is one level of cache as the first CPU of this process sees it.
	Cache = topo.Cache
	// HostMemory is what a host has and what a process can still get, in bytes.
	HostMemory = topo.Memory
)

// ThisHost describes the host that the program runs on.
func ThisHost() Host { return topo.Here() }

// peakResident is the most memory that this process has had, in bytes, or 0
// where the system does not tell. (getrusage would tell the parent's, if that
// was larger.)
func peakResident() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10
		}
	}
	return 0
}
