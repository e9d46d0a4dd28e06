package launch

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/base/topo"
	"github.com/gohops/hops/internal/ranks/rank"
)

// A Member describes a rank.
type Member struct {
	Host    string    // name of its host
	Node    int       // number of its host, as rank.Comm numbers hosts
	PID     int       // process ID
	Threads int       // threads that it should run: its CPUs if it is bound, else its share of the host's
	CPUs    topo.CPUs // CPUs that it may run on
	Online  int       // number of CPUs of its host
}

// introduce gathers the descriptions of all ranks.
func (w *World) introduce() ([]Member, error) {
	name, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	here := topo.Here()
	me, err := json.Marshal(Member{
		Host: name, Node: w.hosts[w.Comm.Rank], PID: os.Getpid(), Threads: runtime.GOMAXPROCS(0), CPUs: here.CPUs, Online: len(here.Online),
	})
	if err != nil {
		return nil, err
	}
	texts, err := w.gatherTexts(string(me))
	if err != nil {
		return nil, err
	}
	members := make([]Member, len(texts))
	for r, text := range texts {
		if err := json.Unmarshal([]byte(text), &members[r]); err != nil {
			return nil, fmt.Errorf("launch: rank %d introduces itself as %.40q: %w", r, text, err)
		}
	}
	divideThreads(members)
	return members, nil
}

// gatherTexts returns the texts of all ranks. They contain no zero byte.
func (w *World) gatherTexts(mine string) ([]string, error) {
	size := []uint64{uint64(len(mine))}
	if err := rank.Reduced(w, rank.Max, size); err != nil {
		return nil, err
	}
	each := int(size[0])
	all := make([]byte, each*w.Comm.Size)
	copy(all[w.Comm.Rank*each:], mine)
	if err := w.Gather(all, even(w.Comm.Size, each)); err != nil {
		return nil, err
	}
	texts := make([]string, w.Comm.Size)
	for r := range texts {
		texts[r] = strings.TrimRight(string(all[r*each:(r+1)*each]), "\x00")
	}
	return texts, nil
}

// Alike returns an error that names the first rank whose text is another than rank 0's. All ranks
// call it, and all get the same.
func (w *World) Alike(mine string) error {
	texts, err := w.gatherTexts(mine)
	if err != nil {
		return err
	}
	return alikeTexts(texts, w.members)
}

func alikeTexts(texts []string, members []Member) error {
	for r, text := range texts {
		if text != texts[0] {
			return fmt.Errorf("rank %d on %s runs %s, but rank 0 on %s runs %s: all ranks must run the same program with the same arguments",
				r, members[r].Host, text, members[0].Host, texts[0])
		}
	}
	return nil
}

// divideThreads divides the threads of a host among its ranks that are not bound.
func divideThreads(members []Member) {
	ranks := make(map[int]int)
	for _, m := range members {
		ranks[m.Node]++
	}
	for r := range members {
		if m := &members[r]; len(m.CPUs) >= m.Online {
			m.Threads = max(1, m.Threads/ranks[m.Node])
		}
	}
}

// Describe returns one line for each run of similar ranks of a host: where they are,
// and which CPUs they may use.
func Describe(members []Member) []string {
	var lines []string
	for lo := 0; lo < len(members); {
		hi := lo + 1
		for hi < len(members) && alike(members[lo], members[hi]) {
			hi++
		}
		lines = append(lines, describe(lo, members[lo:hi]))
		lo = hi
	}
	return lines
}

// describe returns the line of similar ranks, numbered from first on.
func describe(first int, alike []Member) string {
	m := alike[0]
	ranks, each := fmt.Sprintf("rank %d", first), ""
	if len(alike) > 1 {
		ranks, each = fmt.Sprintf("ranks %d-%d", first, first+len(alike)-1), " each"
	}
	binding := "not bound"
	if len(m.CPUs) < m.Online {
		binding = fmt.Sprintf("bound to %d of %d CPUs%s", len(m.CPUs), m.Online, each)
	}
	var pids []string
	for _, m := range alike {
		pids = append(pids, strconv.Itoa(m.PID))
	}
	threads := "1 thread"
	if m.Threads != 1 {
		threads = fmt.Sprintf("%d threads", m.Threads)
	}
	return fmt.Sprintf("%s: %s, %s%s, %s, process %s", m.Host, ranks, threads, each, binding, strings.Join(pids, " "))
}

// alike tells whether two ranks can be described together.
func alike(a, b Member) bool {
	return a.Node == b.Node && a.Threads == b.Threads && a.Online == b.Online && len(a.CPUs) == len(b.CPUs)
}

// Warnings names, for each host, the rank that is bound to the fewest CPUs, if that is
// fewer than its share: launchers bind each rank to one core by default, and Go then
// runs one thread.
func Warnings(members []Member) []string {
	var warnings []string
	for node := range members {
		var ranks []int
		var poorest int
		for r, m := range members {
			if m.Node != node {
				continue
			}
			if len(ranks) == 0 || len(m.CPUs) < len(members[poorest].CPUs) {
				poorest = r
			}
			ranks = append(ranks, r)
		}
		if len(ranks) == 0 {
			continue
		}
		m := members[poorest]
		if fair := m.Online / len(ranks); len(m.CPUs) < fair {
			warnings = append(warnings, fmt.Sprintf(
				"rank %d is bound to %d of the %d CPUs of %s, where each of %d ranks could have %d; "+
					"start with --map-by ppr:%d:node:PE=%d or --bind-to none (Open MPI), -bind-to none (MPICH), or -c %d (srun)",
				poorest, len(m.CPUs), m.Online, m.Host, len(ranks), fair, len(ranks), fair, fair))
		}
	}
	return slices.Clip(warnings)
}
