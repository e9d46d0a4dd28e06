package topo

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Memory is the memory of a host, and how much of it this process can still allocate, in
// bytes.
//
// The kernel's estimate counts page cache as available, since the kernel drops it on
// demand. A cgroup's usage includes page cache too, so file pages that were not used
// lately are subtracted from it here.
type Memory struct {
	Total     int64  // memory of the host
	Available int64  // memory that this process can allocate; 0 if unknown
	Limit     int64  // limit of the cgroup that leaves the least
	Cgroup    string // folder of that cgroup; "" if the host leaves less
}

// A Shortage is the error of work that needs more memory than there is.
type Shortage struct{ Needed, Available int64 } // bytes

func (s *Shortage) Error() string {
	const gib = 1 << 30
	return fmt.Sprintf("needs %.2f GiB of memory, but only %.2f GiB is available", float64(s.Needed)/gib, float64(s.Available)/gib)
}

// smallNeed is the number of bytes up to which Fits does not look: reading the files
// of the kernel takes a tenth of a millisecond.
const smallNeed = 64 << 20

// Fits returns a *Shortage if this process cannot allocate so many bytes. It returns
// nil where the kernel does not say.
func Fits(needed int64) error {
	if needed <= smallNeed {
		return nil
	}
	if m := (tree{os.DirFS("/")}).memory(); m.Available > 0 && needed > m.Available {
		return &Shortage{needed, m.Available}
	}
	return nil
}

func (t tree) memory() Memory {
	info := t.text("proc/meminfo")
	amount := func(key string) int64 { return size(field(info, key)) }
	m := Memory{Total: amount("MemTotal"), Available: amount("MemAvailable")}
	if field(info, "MemAvailable") == "" { // before Linux 3.14
		m.Available = amount("MemFree") + amount("Buffers") + amount("Cached")
	}
	if m.Total > 0 {
		m.Available = max(m.Available, 1)
	}
	for _, g := range t.cgroups() {
		for dir := g.dir; ; dir = path.Dir(dir) {
			m.bound(t, dir, g.files)
			if dir == g.top || dir == "." {
				break
			}
		}
	}
	return m
}

// bound lowers Available to what one cgroup leaves.
func (m *Memory) bound(t tree, dir string, files cgroupFiles) {
	usage := size(t.text(dir + "/" + files.usage))
	usage -= min(usage, size(field(t.text(dir+"/memory.stat"), files.idle)))
	for _, name := range files.limits {
		limit, err := strconv.ParseInt(t.text(dir+"/"+name), 10, 64)
		if err != nil || limit < 0 { // absent, or "max"
			continue
		}
		if room := max(limit-usage, 1); m.Available == 0 || room < m.Available {
			m.Available, m.Limit, m.Cgroup = room, limit, "/"+dir
		}
	}
}

// cgroupFiles names the files of one version of the memory controller.
type cgroupFiles struct {
	limits []string
	usage  string
	idle   string // key in memory.stat of file pages not used lately
}

var (
	// Above memory.high a process is not killed but throttled until it hardly progresses,
	// so it counts as a limit.
	cgroup2 = cgroupFiles{[]string{"memory.max", "memory.high"}, "memory.current", "inactive_file"}
	cgroup1 = cgroupFiles{[]string{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"}
)

// A cgroup is the folder of this process in a hierarchy with the memory
// controller, and the topmost folder of it that can be seen.
type cgroup struct {
	dir, top string
	files    cgroupFiles
}

// cgroups finds the process's own cgroup under version 2 and under version 1; a
// host can have both.
func (t tree) cgroups() []cgroup {
	var groups []cgroup
	for line := range strings.Lines(t.text("proc/self/cgroup")) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) != 3 {
			continue
		}
		g := cgroup{top: "sys/fs/cgroup", files: cgroup2}
		if part[1] != "" {
			if !slices.Contains(strings.Split(part[1], ","), "memory") {
				continue
			}
			g = cgroup{top: "sys/fs/cgroup/memory", files: cgroup1}
		}
		root := "/"
		if mount, at := t.cgroupMount(part[1] == ""); at != "" {
			g.top, root = at, mount
		}
		g.dir = path.Join(g.top, below(part[2], root))
		groups = append(groups, g)
	}
	return groups
}

// cgroupMount returns which folder of the hierarchy is mounted, and where. A
// container often sees only its own branch.
func (t tree) cgroupMount(v2 bool) (root, at string) {
	for line := range strings.Lines(t.text("proc/self/mountinfo")) {
		front, back, _ := strings.Cut(line, " - ")
		where, what := strings.Fields(front), strings.Fields(back)
		if len(where) < 5 || len(what) < 3 {
			continue
		}
		hasMemory := slices.Contains(strings.Split(what[2], ","), "memory")
		if v2 && what[0] == "cgroup2" || !v2 && what[0] == "cgroup" && hasMemory {
			return where[3], strings.Trim(path.Clean(where[4]), "/")
		}
	}
	return "", ""
}

// below returns the part of name that lies under root, or "" if it lies
// elsewhere: then all that can be seen is the mount point.
func below(name, root string) string {
	name, root = path.Clean("/"+name), path.Clean("/"+root)
	if root == "/" {
		return name
	}
	rest, ok := strings.CutPrefix(name, root)
	if !ok || rest != "" && rest[0] != '/' {
		return ""
	}
	return rest
}
