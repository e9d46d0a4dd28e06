//go:build unix

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
)

// The soak tries random cases against oracles: all verbs, engines and options on graphs of
// every family in files of every kind, searches that are cancelled, ranks and launchers that are
// killed and stopped, disks that are full, programs that are killed while they write, and fuzz targets. A
// case is a kind and a seed. What fails prints the command that repeats it.
var (
	soakTime  = flag.Duration("soak", 0, "time that TestSoak takes; 0 is a few cases of each kind")
	soakSeed  = flag.Uint64("soak.seed", 1, "seed of the first case of each kind; 0 draws one")
	soakOnly  = flag.String("soak.only", "", "kinds to run, separated by commas; by default all")
	soakCount = flag.Int("soak.count", 0, "cases of each kind at most; by default as many as there is time for")
	soakMPI   = flag.String("soak.mpi", "", "openmpi or mpich, for ranks under this one only; by default under both")
	soakKeep  = flag.String("soak.keep", "", "folder in which the files of cases that fail are kept")
	soakOut   = flag.String("soak.out", "", "file for the counts, as JSON")
)

// caseLimit ends a soak whose case neither ends nor fails. Cases take seconds, and those
// that wait have a limit of their own.
const caseLimit = 15 * time.Minute

// soakCommand is the command line that a case runs at the moment, if it runs one.
var soakCommand atomic.Pointer[[]string]

// A soakKind is one kind of cases.
type soakKind struct {
	name  string
	share float64 // of the time
	few   int     // cases in a test without -soak
	short bool    // they run under -short too
	run   func(t *testing.T, r *rand.Rand, c counts)
}

// counts are what happened in the cases of a kind.
type counts map[string]int64

// family counts a graph.
func (c counts) family(name string) { c["family: "+name]++ }

// most keeps the longest time, in milliseconds.
func (c counts) most(what string, d time.Duration) { c[what] = max(c[what], d.Milliseconds()) }

var soakKinds = []soakKind{
	{"graphs", 0.45, 16, true, soakGraphs},
	{"cancels", 0.05, 10, true, soakCancels},
	{"ranks", 0.20, 2, false, soakRanks},
	{"disks", 0.05, 3, false, soakDisk},
	{"kills", 0.05, 3, false, soakKill},
	{"fuzz", 0.20, 0, false, soakFuzz},
}

// A soakRow is what became of a kind.
type soakRow struct {
	Kind     string  `json:"kind"`
	Seed     uint64  `json:"first_seed"`
	Cases    int     `json:"cases"`
	Failed   int     `json:"failed"`
	Seconds  float64 `json:"seconds"`
	Counts   counts  `json:"counts"`
	kind     soakKind
	nextSeed uint64
}

func TestSoak(t *testing.T) {
	seed := *soakSeed
	if seed == 0 {
		seed = rand.Uint64N(1 << 40)
	}
	if *soakTime > 0 {
		fmt.Printf("soak: %v from seed %d\n", *soakTime, seed)
	}
	rows := soakRows(seed)
	for start, saved := time.Now(), time.Now(); ; {
		row := nextRow(rows)
		if row == nil || *soakTime > 0 && time.Since(start) >= *soakTime {
			break
		}
		row.runCase(t)
		if time.Since(saved) > time.Minute {
			saveSoak(t, rows)
			saved = time.Now()
		}
	}
	saveSoak(t, rows)
	if *soakTime > 0 {
		printSoak(rows)
	}
}

func soakRows(seed uint64) (rows []*soakRow) {
	for _, k := range soakKinds {
		if *soakOnly != "" && !slices.Contains(strings.Split(*soakOnly, ","), k.name) || testing.Short() && !k.short {
			continue
		}
		rows = append(rows, &soakRow{Kind: k.name, Seed: seed, Counts: counts{}, kind: k, nextSeed: seed})
	}
	return rows
}

// nextRow returns the kind that has had the least of its share and may have more cases, or nil.
func nextRow(rows []*soakRow) (next *soakRow) {
	for _, row := range rows {
		limit := *soakCount
		if limit == 0 && *soakTime == 0 {
			limit = row.kind.few
			if testing.Short() { // the race detector takes many times as long
				limit = (limit + 4) / 5
			}
		}
		if (limit > 0 || *soakTime == 0) && row.Cases >= limit {
			continue
		}
		if next == nil || row.Seconds/row.kind.share < next.Seconds/next.kind.share {
			next = row
		}
	}
	return next
}

// runCase runs the next case as a subtest.
func (row *soakRow) runCase(t *testing.T) {
	seed := row.nextSeed
	row.nextSeed++
	row.Cases++
	start := time.Now()
	again := fmt.Sprintf("go test ./cmd/hops -count 1 -run '^TestSoak$' -soak.only %s -soak.seed %d -soak.count 1", row.Kind, seed)
	late := time.AfterFunc(caseLimit, func() {
		panic(fmt.Sprintf("a case never ends, in %q; repeat it: %s", *soakCommand.Load(), again))
	})
	defer late.Stop()
	ok := t.Run(fmt.Sprintf("%s/%d", row.Kind, seed), func(t *testing.T) {
		soakCommand.Store(&[]string{row.Kind})
		noteRunning(again)
		t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no case sees how the developer's machine was calibrated
		defer func() {
			if t.Failed() {
				t.Log("repeat it:", again)
				fmt.Println("soak: failed; repeat it:", again) // now, not when all is over
			}
		}()
		row.kind.run(t, rand.New(rand.NewPCG(seed, 25)), row.Counts)
	})
	row.Seconds += time.Since(start).Seconds()
	if !ok {
		row.Failed++
	}
}

// noteRunning writes which case is running, for a case that takes the whole process with it.
func noteRunning(again string) {
	if *soakOut != "" {
		must(os.WriteFile(*soakOut+".running", []byte(again+"\n"), 0o666))
	}
}

// printSoak prints the counts as a table.
func printSoak(rows []*soakRow) {
	w := table.NewWriter()
	w.AppendHeader(table.Row{"kind", "seeds from", "cases", "failed", "seconds", "counts"})
	for _, row := range rows {
		var lines []string
		for what, n := range row.Counts {
			lines = append(lines, fmt.Sprintf("%s: %d", what, n))
		}
		slices.Sort(lines)
		w.AppendRow(table.Row{row.Kind, row.Seed, row.Cases, row.Failed, int(row.Seconds), strings.Join(lines, "\n")})
	}
	fmt.Println(w.Render())
}

// saveSoak writes the counts so far as JSON.
func saveSoak(t *testing.T, rows []*soakRow) {
	t.Helper()
	if *soakOut == "" {
		return
	}
	text, err := json.MarshalIndent(rows, "", "  ")
	if err == nil {
		err = os.WriteFile(*soakOut, append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Error(err)
	}
}

// chance is true with probability 1/n.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// pick returns one of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }
