package topo

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

const (
	cpuDir  = "sys/devices/system/cpu/"
	nodeDir = "sys/devices/system/node/"
)

// model returns the processor's name; which line of /proc/cpuinfo has it depends
// on the architecture.
func (t tree) model() string {
	info := t.text("proc/cpuinfo")
	for _, key := range []string{"model name", "Model Name", "cpu model", "cpu", "uarch", "Processor"} {
		if s := field(info, key); s != "" {
			return s
		}
	}
	if maker := field(info, "CPU implementer"); maker != "" { // ARM has numbers for names
		return "ARM implementer " + maker + " part " + field(info, "CPU part")
	}
	return ""
}

// online returns the CPUs of the host that are switched on.
func (t tree) online() CPUs {
	if cpus := t.list(cpuDir + "online"); cpus != nil {
		return cpus
	}
	var cpus CPUs
	for line := range strings.Lines(t.text("proc/cpuinfo")) {
		key, value, _ := strings.Cut(line, ":")
		cpu, err := strconv.Atoi(strings.TrimSpace(value))
		if strings.TrimSpace(key) == "processor" && err == nil {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

// allowed returns the CPUs and NUMA nodes that this process may use. The mask may contain
// CPUs that are not online; without a mask all online CPUs are allowed.
func (t tree) allowed(online CPUs) (cpus, mems CPUs) {
	status := t.text("proc/self/status")
	mask, _ := ParseCPUs(field(status, "Cpus_allowed_list"))
	mems, _ = ParseCPUs(field(status, "Mems_allowed_list"))
	if mask == nil {
		return online, mems
	}
	if both := online.and(mask); both != nil {
		return both, mems
	}
	return mask, mems
}

// groups returns the distinct sets of CPUs in the topology file called name: the CPUs of
// each core or of each socket. Older kernels call the file oldName.
func (t tree) groups(cpus CPUs, name, oldName string) []CPUs {
	var groups []CPUs
	var seen CPUs
	for _, cpu := range cpus {
		if seen.Has(cpu) {
			continue
		}
		dir := cpuDir + "cpu" + strconv.Itoa(cpu) + "/topology/"
		group := t.list(dir + name)
		if group == nil {
			group = t.list(dir + oldName)
		}
		if group != nil {
			groups = append(groups, group)
			seen = append(seen, group...)
		}
	}
	return groups
}

// caches returns the data caches that one CPU uses.
func (t tree) caches(cpu int) (l1d, l2, l3 Cache) {
	dir := cpuDir + "cpu" + strconv.Itoa(cpu) + "/cache"
	entries, _ := fs.ReadDir(t.FS, dir)
	for _, e := range entries {
		index := dir + "/" + e.Name() + "/"
		c := Cache{Size: size(t.text(index + "size")), CPUs: len(t.list(index + "shared_cpu_list"))}
		if t.text(index+"type") == "Instruction" {
			continue
		}
		switch t.text(index + "level") {
		case "1":
			l1d = c
		case "2":
			l2 = c
		case "3":
			l3 = c
		}
	}
	return l1d, l2, l3
}

// nodes returns the NUMA nodes in the order of their numbers, which may have
// gaps.
func (t tree) nodes() []Node {
	var nodes []Node
	entries, _ := fs.ReadDir(t.FS, strings.TrimSuffix(nodeDir, "/"))
	for _, e := range entries {
		number, isNode := strings.CutPrefix(e.Name(), "node")
		id, err := strconv.Atoi(number)
		if !isNode || err != nil {
			continue
		}
		dir := nodeDir + e.Name()
		nodes = append(nodes, Node{
			ID:     id,
			CPUs:   t.list(dir + "/cpulist"),
			Memory: size(field(t.text(dir+"/meminfo"), "Node "+number+" MemTotal")),
		})
	}
	slices.SortFunc(nodes, func(a, b Node) int { return a.ID - b.ID })
	return nodes
}
