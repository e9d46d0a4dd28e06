// Package topo describes the hardware of a Linux host: processors, caches, NUMA nodes
// and memory, and which part of them this process may use.
//
// Everything is read from files below a root, which is / for the host itself and a
// fixture in tests. A file that is missing or malformed makes its fact unknown, which
// is the zero value; hosts differ too much for it to be an error.
package topo

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Facts describe a host. A zero field is an unknown fact.
type Facts struct {
	Model     string // name of the processor
	Kernel    string // release of the kernel
	HugePages string // mode of transparent huge pages: always, madvise or never

	Online  CPUs // logical CPUs of the host
	CPUs    CPUs // logical CPUs that this process may run on
	Cores   int
	Sockets int
	Nodes   []Node // nil without NUMA support

	L1d Cache
	L2  Cache
	L3  Cache

	Memory Memory

	siblings []CPUs // the logical CPUs of each core
	mems     CPUs   // numbers of the nodes that this process may take memory from
}

// A Node is a NUMA node: CPUs and the memory next to them. Either may be
// absent.
type Node struct {
	ID     int
	CPUs   CPUs
	Memory int64 // bytes
}

// A Cache describes one level as the first CPU of this process sees it.
type Cache struct {
	Size int64 `json:"size"` // bytes of one cache
	CPUs int   `json:"cpus"` // logical CPUs that share it
}

// Here describes this host. Without /proc it still knows the number of CPUs. It reads
// the CPUs that the first thread of the process may run on, so callers that bind threads call it
// before.
func Here() Facts {
	f, err := Host(os.DirFS("/"))
	if err == nil && len(f.CPUs) > 0 {
		return f
	}
	for i := range runtime.NumCPU() {
		f.CPUs = append(f.CPUs, i)
	}
	f.Online = f.CPUs
	return f
}

// Host describes the host whose /proc and /sys lie below root. It is an error if neither
// CPUs nor memory can be read.
func Host(root fs.FS) (Facts, error) {
	t := tree{root}
	f := t.processors()
	f.Model, f.Memory = t.model(), t.memory()
	f.Kernel = t.text("proc/sys/kernel/osrelease")
	f.HugePages = bracketed(t.text("sys/kernel/mm/transparent_hugepage/enabled"))
	if len(f.Online) == 0 && f.Memory.Total == 0 {
		return f, errors.New("topo: neither /proc nor /sys describes this host")
	}
	f.Cores = len(f.siblings)
	f.Sockets = len(t.groups(f.Online, "package_cpus_list", "core_siblings_list"))
	if len(f.CPUs) > 0 {
		f.L1d, f.L2, f.L3 = t.caches(f.CPUs[0])
	}
	return f, nil
}

// processors reads what Places depends on.
func (t tree) processors() (f Facts) {
	f.Online, f.Nodes = t.online(), t.nodes()
	f.CPUs, f.mems = t.allowed(f.Online)
	f.siblings = t.groups(f.Online, "core_cpus_list", "thread_siblings_list")
	return f
}

// HerePlaces is Here().Places(), of a few of the files: every rank of a host asks for it.
func HerePlaces() []Node {
	f := tree{os.DirFS("/")}.processors()
	if len(f.CPUs) == 0 || len(f.Nodes) == 0 {
		f = Here()
	}
	return f.Places()
}

// Places returns the nodes on which this process may both run and allocate,
// each with the CPUs that it may use there. They come in the order in which
// workers should take them: one CPU of every core before the second of any. A
// host without NUMA is one place.
func (f Facts) Places() []Node {
	var places []Node
	for _, n := range f.Nodes {
		n.CPUs = f.spread(n.CPUs)
		if len(n.CPUs) > 0 && n.Memory > 0 && (f.mems == nil || f.mems.Has(n.ID)) {
			places = append(places, n)
		}
	}
	if len(places) == 0 {
		places = []Node{{CPUs: f.spread(f.CPUs), Memory: f.Memory.Total}}
	}
	return places
}

// spread returns the CPUs among cpus that this process may use: one of each core first,
// then their siblings.
func (f Facts) spread(cpus CPUs) CPUs {
	cpus = cpus.and(f.CPUs)
	var order CPUs
	for rank := 0; len(order) < len(cpus); rank++ {
		before := len(order)
		for _, core := range f.siblings {
			if mine := core.and(cpus); rank < len(mine) {
				order = append(order, mine[rank])
			}
		}
		if len(order) == before {
			return cpus // cores unknown, for some CPUs at least
		}
	}
	return order
}

// A tree is the root below which /proc and /sys are read.
type tree struct{ fs.FS }

// text returns the content of a file without the space around it, or "" if
// there is none.
func (t tree) text(name string) string {
	b, err := fs.ReadFile(t.FS, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// list returns the numbers in a file such as "0-3,8", or nil.
func (t tree) list(name string) CPUs {
	l, err := ParseCPUs(t.text(name))
	if err != nil {
		return nil
	}
	return l
}

// field returns the value of a line "key: value" or "key value", or "".
func field(text, key string) string {
	for line := range strings.Lines(text) {
		k, v, ok := strings.Cut(line, ":")
		if !ok {
			k, v, _ = strings.Cut(line, " ")
		}
		if strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// size reads "123", "48K", "32M" or "16384 kB" as bytes; anything else is 0.
func size(s string) int64 {
	digits := strings.TrimRight(s, " kKMGB")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	shift := map[string]int{"": 0, "K": 10, "kB": 10, "M": 20, "G": 30}[strings.TrimSpace(s[len(digits):])]
	if n > 1<<(62-shift) {
		return 0
	}
	return n << shift
}

// bracketed returns the chosen word of a list such as "always [madvise] never".
func bracketed(s string) string {
	_, s, _ = strings.Cut(s, "[")
	s, _, _ = strings.Cut(s, "]")
	return s
}
