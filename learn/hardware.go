package learn

import (
	"fmt"
	"runtime"

	"github.com/gohops/hops/internal/topo"
)

// Hardware is what costs depend on: where it is equal, a calibration can be shared.
type Hardware struct {
	Model   string `json:"model"`
	CPUs    int    `json:"cpus"` // that the process may use
	Cores   int    `json:"cores"`
	Sockets int    `json:"sockets"`
	L1d     Cache  `json:"l1d"`
	L2      Cache  `json:"l2"`
	L3      Cache  `json:"l3"`
	Threads int    `json:"threads"`          // that search
	Device  string `json:"device,omitempty"` // that searches beside them
}

// A Cache is one level of the processors' caches.
type Cache struct {
	Size int64 `json:"size"` // bytes of one cache
	CPUs int   `json:"cpus"` // logical CPUs that share it
}

// Here is this host with that many threads searching; 0 is one for every CPU.
func Here(threads int) Hardware {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	host := topo.Here()
	return Hardware{
		Model: host.Model, CPUs: len(host.CPUs), Cores: host.Cores, Sockets: host.Sockets,
		L1d: Cache(host.L1d), L2: Cache(host.L2), L3: Cache(host.L3), Threads: threads,
	}
}

func (h Hardware) String() string {
	s := fmt.Sprintf("%s, %d CPUs, %d threads", h.Model, h.CPUs, h.Threads)
	if h.Device != "" {
		s += ", " + h.Device
	}
	return s
}
