package lint

import (
	"path"
	"slices"
	"strings"
)

// directions is the order of the packages: each one, and what it may import
// beyond the standard library. Tests may import anything.
//
// "hops" is the root of the module. A name that ends in /* stands for all
// packages below, and a lone * for everything, ours or not.
//
// What it is there to keep: the checker sees neither csr nor an engine, so it
// cannot trust them. Engines see neither each other nor the checker, the
// statistics and the benchmark, so they cannot time or score themselves. The
// benchmark sees no engine, so a new one changes nothing in it.
var directions = table(`
	hops                 → internal/arena
	graph                → hops internal/arena internal/bitset internal/par internal/atomicfile
	stats                →
	level                → hops
	level/leveltest      → hops level
	handover             → hops level
	learn                → hops edge level internal/atomicfile internal/topo
	edge                 → hops internal/mrg internal/par internal/arena internal/atomicfile golang.org/x/sys/cpu
	edge/export          → graph hops internal/packing internal/parquet
	edge/format          → graph hops csr edge internal/par internal/parquet internal/arena internal/osm internal/packing internal/spell internal/topo internal/webgraph golang.org/x/sys/cpu
	csr                  → graph hops internal/par internal/arena internal/bitset internal/intake internal/prefetch internal/topo golang.org/x/sys/cpu
	depths               → graph hops internal/arena internal/par
	query                → graph hops csr engine/many internal/bitset internal/par
	check                → hops internal/par internal/bitset
	sssp                 → golang.org/x/sys/cpu graph hops level internal/*

	engine/cpu           → graph hops csr level learn handover internal/*
	engine/many          → graph hops depths level internal/*
	engine/gpu           → graph hops csr depths level learn handover internal/*
	engine/cluster       → hops csr level learn internal/*
	engine/grid          → hops csr level internal/*
	engine/adaptive      → graph hops csr level learn handover internal/*
	engine/enginetest    → hops edge check level internal/*

	graph500             → hops edge check stats internal/*
	bench                → graph hops edge check stats graph500 engine/many internal/*
	papers/cygraph       → graph hops csr level internal/* papers/hdl
	papers/hdl           →
	papers/lab           → hops bench edge check stats graph500 level learn papers/projection papers/hdl internal/*
	papers/projection    → hops edge stats graph500 bench level learn
	report               → hops learn stats graph500 internal/human internal/page internal/plot github.com/aclements/go-moremath github.com/jedib0t/go-pretty/v6
	report/live          → graph500 report internal/human internal/page internal/web
	cmd/hops             → *

	internal/alltoall    → internal/arena internal/rank
	internal/arena       → golang.org/x/sys
	internal/atomicfile  → golang.org/x/sys
	internal/bitset      →
	internal/block       →
	internal/bottomup    → internal/arena internal/bitset internal/kernel internal/par internal/prefetch
	internal/bucket      →
	internal/browsertest → internal/tooltest github.com/chromedp/chromedp github.com/chromedp/cdproto
	internal/ceiling     → internal/arena internal/par
	internal/checktest   → hops
	internal/cuda        → internal/dynlib
	internal/deal        → hops internal/alltoall internal/arena internal/distributed internal/intake internal/par internal/partition internal/rank
	internal/distributed → hops level learn internal/arena internal/bitset internal/par internal/partition internal/placement internal/rank internal/spec internal/topo internal/turn internal/twin
	internal/distributed/ranktest → hops edge internal/checktest internal/distributed internal/launch internal/mpi/mpitest internal/rank level
	internal/dynlib      → github.com/ebitengine/purego
	internal/energy      →
	internal/explore     → graph hops engine/cpu query internal/explore/view internal/jsontext internal/web
	internal/explore/view → graph hops query internal/bitset
	internal/fringe      → graph internal/arena internal/bitset internal/prefetch
	internal/gather      → internal/arena internal/bitset internal/distributed internal/rank
	internal/guardtest   →
	internal/intake      → hops
	internal/human       → github.com/jedib0t/go-pretty/v6
	internal/jsontext    →
	internal/launch      → internal/arena internal/mpi internal/rank internal/topo golang.org/x/sys
	internal/kernel      → golang.org/x/sys/cpu
	internal/lint        →
	internal/mpi         → internal/arena internal/dynlib golang.org/x/sys
	internal/mpi/mpitest → internal/tooltest
	internal/mrg         →
	internal/nccl        → internal/dynlib
	internal/nvml        → internal/dynlib
	internal/opencl      → internal/dynlib
	internal/oracle      →
	internal/osm         → github.com/klauspost/compress
	internal/packing     → github.com/klauspost/compress github.com/mikelolasagasti/xz
	internal/packet      → internal/arena internal/partition internal/rank
	internal/page        → internal/plot internal/human internal/atomicfile github.com/jedib0t/go-pretty/v6
	internal/par         → internal/topo golang.org/x/sys/unix
	internal/parquet     → github.com/klauspost/compress
	internal/placement   → golang.org/x/sys/unix internal/arena internal/par internal/topo
	internal/partition   → internal/bitset
	internal/plot        → stats golang.org/x/image
	internal/prefetch    →
	internal/progress    → internal/human golang.org/x/term
	internal/rank        → internal/arena
	internal/spec        →
	internal/spell       →
	internal/twin        → internal/arena internal/packet internal/rank internal/spec
	internal/tooltest    →
	internal/topo        → golang.org/x/sys
	internal/turn        →
	internal/webgraph    →
	internal/worker      → graph hops csr edge edge/format engine/cpu engine/many query sssp internal/arena internal/spell internal/topo
	internal/web         →
`)

// table reads what each package may import.
func table(text string) map[string][]string {
	t := map[string][]string{}
	for line := range strings.Lines(text) {
		if from, to, ok := strings.Cut(line, "→"); ok {
			t[strings.TrimSpace(from)] = strings.Fields(to)
		}
	}
	return t
}

// imports reports imports against the direction, and packages without a row.
func (c *checker) imports(p pkg) {
	name := p.dir
	if name == "." {
		name = "hops"
	}
	allowed, listed := directions[name]
	if !listed {
		c.report(p.dir, "is not in the table of dependencies: give it a row in internal/lint/deps_test.go")
		return
	}
	for _, f := range p.files {
		if f.test() {
			continue
		}
		for _, imported := range f.imports() {
			if to := short(imported); to != "" && !permits(allowed, to) {
				c.report(f.path, "%s may not import %s", name, to)
			}
		}
	}
}

// short is an import path as the table writes it, or "" for the standard
// library, whose paths have no dot in their first element.
func short(imported string) string {
	if imported == Module {
		return "hops"
	}
	if ours, ok := strings.CutPrefix(imported, Module+"/"); ok {
		return ours
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return ""
	}
	return imported
}

func permits(allowed []string, to string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		if a == "*" || a == to {
			return true
		}
		if group, ok := strings.CutSuffix(a, "/*"); ok {
			return strings.HasPrefix(to, group+"/")
		}
		// A module of others permits its packages.
		first, _, _ := strings.Cut(a, "/")
		return path.Ext(first) != "" && strings.HasPrefix(to, a+"/")
	})
}
