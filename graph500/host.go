package graph500

import (
	"os"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/base/topo"
)

// A Host is what is known about the hardware of a run. A zero field is unknown.
type Host struct {
	Model     string `json:"model,omitempty"`      // name of the processor
	Kernel    string `json:"kernel,omitempty"`     // release of the kernel
	HugePages string `json:"huge_pages,omitempty"` // mode of transparent huge pages: always, madvise or never

	Online  CPUSet `json:"online"` // logical CPUs of the host
	CPUs    CPUSet `json:"cpus"`   // logical CPUs that this process may run on
	Cores   int    `json:"cores,omitempty"`
	Sockets int    `json:"sockets,omitempty"`
	Nodes   []Node `json:"nodes,omitempty"` // nil without NUMA support

	L1d Cache `json:"l1d,omitzero"`
	L2  Cache `json:"l2,omitzero"`
	L3  Cache `json:"l3,omitzero"`

	Memory HostMemory `json:"memory"`
}

// A CPUSet is a set of logical CPUs by number. As text it is what the kernel
// writes, such as "0-3,8".
type CPUSet []int

func (c CPUSet) String() string { return topo.CPUs(c).String() }

// MarshalText writes the set as String does.
func (c CPUSet) MarshalText() ([]byte, error) { return topo.CPUs(c).MarshalText() }

// UnmarshalText reads what MarshalText writes.
func (c *CPUSet) UnmarshalText(b []byte) error { return (*topo.CPUs)(c).UnmarshalText(b) }

// A Node is a NUMA node: CPUs and the memory next to them. Either may be absent.
type Node struct {
	ID     int    `json:"id"`
	CPUs   CPUSet `json:"cpus"`
	Memory int64  `json:"memory"` // bytes
}

// A Cache is one level of cache as the first CPU of this process sees it.
type Cache struct {
	Size int64 `json:"size"` // bytes of one cache
	CPUs int   `json:"cpus"` // logical CPUs that share it
}

// HostMemory is what a host has and what a process can still get, in bytes.
type HostMemory struct {
	Total     int64  `json:"total"`            // memory of the host
	Available int64  `json:"available"`        // memory that this process can allocate; 0 if unknown
	Limit     int64  `json:"limit,omitempty"`  // limit of the cgroup that leaves the least
	Cgroup    string `json:"cgroup,omitempty"` // folder of that cgroup; "" if the host leaves less
}

// ThisHost describes the host that the program runs on.
func ThisHost() Host {
	f := topo.Here()
	h := Host{
		Model: f.Model, Kernel: f.Kernel, HugePages: f.HugePages,
		Online: CPUSet(f.Online), CPUs: CPUSet(f.CPUs), Cores: f.Cores, Sockets: f.Sockets,
		L1d: Cache(f.L1d), L2: Cache(f.L2), L3: Cache(f.L3), Memory: HostMemory(f.Memory),
	}
	for _, n := range f.Nodes {
		h.Nodes = append(h.Nodes, Node{n.ID, CPUSet(n.CPUs), n.Memory})
	}
	return h
}

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
