package topo

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// machine reads a fixture: lines of comment, then files, each after a line
// "-- path --". A list in braces, as in cpu{0-3}, stands for one file for each
// number.
func machine(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	root := fstest.MapFS{}
	for _, entry := range strings.Split("\n"+string(b), "\n-- ")[1:] {
		path, content, ok := strings.Cut(entry, " --\n")
		if !ok {
			t.Fatalf("%s: %q is no file", name, entry)
		}
		for _, p := range braces(t, path) {
			root[p] = &fstest.MapFile{Data: []byte(content)}
		}
	}
	return root
}

func braces(t *testing.T, path string) []string {
	t.Helper()
	front, rest, ok := strings.Cut(path, "{")
	if !ok {
		return []string{path}
	}
	list, back, _ := strings.Cut(rest, "}")
	numbers, err := ParseCPUs(list)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, n := range numbers {
		paths = append(paths, front+strconv.Itoa(n)+back)
	}
	return paths
}

func host(t *testing.T, root fs.FS) Facts {
	t.Helper()
	f, err := Host(root)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The expected values restate the comment at the top of each fixture.
func TestMachines(t *testing.T) {
	tests := []struct {
		name, model, kernel, hugePages string
		online, cpus                   string
		cores, sockets, nodes          int
		l1d, l2, l3                    Cache
		places                         []string
	}{
		{
			name: "desktop", model: "AMD Ryzen 7 7700 8-Core Processor", kernel: "6.1.0-25-amd64", hugePages: "madvise",
			online: "0-15", cpus: "0-15", cores: 8, sockets: 1, nodes: 1,
			l1d: Cache{32 * kib, 2}, l2: Cache{1 * mib, 2}, l3: Cache{32 * mib, 16},
			places: []string{"0-15"},
		},
		{
			name: "twosocket", model: "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz", kernel: "5.15.0-112-generic", hugePages: "always",
			online: "0-15", cpus: "1,3,5,7,9,11,13,15", cores: 8, sockets: 2, nodes: 2,
			l1d: Cache{32 * kib, 2}, l2: Cache{1 * mib, 2}, l3: Cache{22 * mib, 8},
			places: []string{"1,3,5,7,9,11,13,15"},
		},
		{
			name: "foursocket", model: "Intel(R) Xeon(R) Platinum 8490H", kernel: "6.8.0-45-generic", hugePages: "never",
			online: "0-31", cpus: "0-31", cores: 32, sockets: 4, nodes: 9,
			l1d: Cache{48 * kib, 1}, l2: Cache{2 * mib, 1}, l3: Cache{115200 * kib, 8},
			places: []string{"0-3", "4-7", "8-11", "12-15", "16-19", "20-23", "24-27"},
		},
		{
			name: "eightsocket", model: "Intel(R) Xeon(R) CPU E7-8890 v4 @ 2.20GHz", kernel: "3.10.0-1160.el7.x86_64", hugePages: "always",
			online: "0-63", cpus: "0-63", cores: 32, sockets: 8, nodes: 8,
			l1d: Cache{32 * kib, 2}, l2: Cache{256 * kib, 2}, l3: Cache{60 * mib, 8},
			places: []string{
				"0-3,32-35", "4-7,36-39", "8-11,40-43", "12-15,44-47",
				"16-19,48-51", "20-23,52-55", "24-27,56-59", "28-31,60-63",
			},
		},
		{
			name: "container2", model: "AMD EPYC 7763 64-Core Processor", kernel: "6.1.0-25-cloud-amd64",
			online: "0-3", cpus: "2-3", places: []string{"2-3"},
		},
		{name: "board", model: "ARM implementer 0x41 part 0xd08", online: "0-3", cpus: "0-3", places: []string{"0-3"}},
	}
	for _, want := range tests {
		t.Run(want.name, func(t *testing.T) {
			f := host(t, machine(t, want.name))
			equal(t, "model", f.Model, want.model)
			equal(t, "kernel", f.Kernel, want.kernel)
			equal(t, "huge pages", f.HugePages, want.hugePages)
			equal(t, "online", f.Online.String(), want.online)
			equal(t, "CPUs", f.CPUs.String(), want.cpus)
			equal(t, "cores", f.Cores, want.cores)
			equal(t, "sockets", f.Sockets, want.sockets)
			equal(t, "nodes", len(f.Nodes), want.nodes)
			equal(t, "L1d", f.L1d, want.l1d)
			equal(t, "L2", f.L2, want.l2)
			equal(t, "L3", f.L3, want.l3)
			var places []string
			for _, p := range f.Places() {
				places = append(places, p.CPUs.String())
			}
			equal(t, "places", strings.Join(places, " "), strings.Join(want.places, " "))
		})
	}
}

func TestMemory(t *testing.T) {
	tests := []struct {
		name string
		want Memory
	}{
		{"desktop", Memory{Total: 32768000 * kib, Available: 30000000 * kib}},
		{"eightsocket", Memory{Total: 8589934592 * kib, Available: (8000000000 + 1000000 + 9000000) * kib}},
		{"container2", Memory{Total: 528280000 * kib, Available: 2 * gib, Limit: 4 * gib, Cgroup: "/sys/fs/cgroup/pod"}},
		{"container1", Memory{Total: 528280000 * kib, Available: 1 * gib, Limit: 2 * gib, Cgroup: "/sys/fs/cgroup/memory"}},
		{"board", Memory{Total: 3884000 * kib, Available: 3500000 * kib}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, "memory", host(t, machine(t, tt.name)).Memory, tt.want)
		})
	}
}

// A limit that is already exceeded leaves next to nothing, but not 0, which means unknown.
func TestMemoryExceeded(t *testing.T) {
	root := machine(t, "container2")
	root["sys/fs/cgroup/pod/memory.max"].Data = []byte("1048576\n")
	m := host(t, root).Memory
	if m.Available < 1 || m.Available >= 4096 || m.Limit != 1*mib {
		t.Errorf("memory %+v: 4096 bytes are available beyond the limit", m)
	}
}

// Throttling counts as a limit.
func TestMemoryHigh(t *testing.T) {
	root := machine(t, "container2")
	root["sys/fs/cgroup/pod/app/memory.high"] = &fstest.MapFile{Data: []byte("1610612736\n")}
	equal(t, "available", host(t, root).Memory.Available, int64(gib/2))
}

func TestNodeMemory(t *testing.T) {
	f := host(t, machine(t, "foursocket"))
	last := f.Nodes[8]
	if last.ID != 8 || len(last.CPUs) != 0 || last.Memory != 256*gib {
		t.Errorf("expander: got %+v, want node 8 with 256 GiB and no CPUs", last)
	}
}

// Workers get cores of their own before they share one.
func TestPlacesSpread(t *testing.T) {
	f := host(t, machine(t, "eightsocket"))
	want := CPUs{4, 5, 6, 7, 36, 37, 38, 39}
	got := f.Places()[1].CPUs
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("place 1 is %v, want %v", []int(got), []int(want))
		}
	}
}

// Whatever single file is missing, garbled or empty, the rest is still told.
func TestDamagedFiles(t *testing.T) {
	for _, name := range []string{"desktop", "container2"} {
		whole := machine(t, name)
		for path := range whole {
			for _, data := range []string{"", "\x00\xff:", "99999999999999999999", "-1", "0-9999999999"} {
				root := machine(t, name)
				root[path].Data = []byte(data)
				f := host(t, root)
				if len(f.Places()) == 0 || len(f.Places()[0].CPUs) == 0 {
					t.Errorf("%s with %q in %s: no place to run", name, data, path)
				}
			}
		}
	}
}

func TestUnknownHost(t *testing.T) {
	if f, err := Host(fstest.MapFS{}); err == nil {
		t.Errorf("an empty tree is a host: %+v", f)
	}
}

// lscpu reads the same files with other code.
func TestHereAgreesWithLscpu(t *testing.T) {
	out, err := exec.Command("lscpu", "--parse=CPU,CORE,SOCKET,NODE").Output()
	if err != nil {
		t.Skip("no lscpu: ", err)
	}
	var cpus CPUs
	cores, sockets, nodes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		part := strings.Split(strings.TrimSpace(line), ",")
		cpu, err := strconv.Atoi(part[0])
		if err != nil || len(part) != 4 {
			t.Fatalf("lscpu: %q", line)
		}
		cpus = append(cpus, cpu)
		cores[part[1]], sockets[part[2]] = true, true
		if part[3] != "" {
			nodes[part[3]] = true
		}
	}
	f := Here()
	equal(t, "online", f.Online.String(), cpus.String())
	equal(t, "cores", f.Cores, len(cores))
	equal(t, "sockets", f.Sockets, len(sockets))
	withCPUs := 0
	for _, n := range f.Nodes {
		withCPUs += min(len(n.CPUs), 1)
	}
	equal(t, "nodes", withCPUs, len(nodes))
}

func TestFactsAsJSON(t *testing.T) {
	f := host(t, machine(t, "twosocket"))
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var back Facts
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	equal(t, "CPUs", back.Nodes[1].CPUs.String(), f.Nodes[1].CPUs.String())
	equal(t, "memory", back.Memory, f.Memory)
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// What ranks ask for is what all facts say.
func TestHerePlaces(t *testing.T) {
	if got, want := HerePlaces(), Here().Places(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
