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
// benchmark sees no engine, so a new one changes nothing in it. What repeats the papers
// is imported by nothing but the program, whatever the table says.
var directions = table(`
	hops                 → internal/base/arena internal/base/par
	graph                → hops internal/base/arena internal/base/bitset internal/base/par internal/base/atomicfile
	stats                →
	level                → hops
	internal/testing/leveltest      → hops level
	internal/base/learn                → hops edge level internal/base/atomicfile internal/base/topo
	edge                 → hops internal/base/mrg internal/base/par internal/base/arena internal/base/atomicfile golang.org/x/sys/cpu
	internal/base/export          → graph hops internal/base/compression internal/base/parquet
	edge/format          → graph hops csr edge internal/base/par internal/base/parquet internal/base/arena internal/base/osm internal/base/compression internal/base/spell internal/base/topo internal/base/webgraph golang.org/x/sys/cpu
	csr                  → graph hops internal/base/par internal/base/arena internal/base/bitset internal/base/intake internal/base/prefetch internal/base/topo golang.org/x/sys/cpu
	query                → graph hops csr engine/many internal/base/bitset internal/base/par
	check                → hops internal/base/par internal/base/bitset
	sssp                 → golang.org/x/sys/cpu graph hops level internal/*

	engine/cpu           → graph hops csr level internal/base/learn internal/*
	engine/many          → graph hops level internal/*
	engine/gpu           → graph hops csr level internal/base/learn internal/*
	engine/cluster       → hops csr level internal/base/learn internal/*
	engine/grid          → hops csr level internal/*
	internal/device/adaptive      → graph hops csr level internal/base/learn internal/*
	internal/testing/enginetest    → hops edge check level internal/*

	graph500             → hops edge check stats internal/*
	papers/bench                → graph hops edge check stats graph500 engine/many internal/*
	papers/cygraph       → graph hops csr level internal/* papers/hdl
	papers/hdl           →
	papers/lab           → hops papers/bench papers/twin edge check stats graph500 level internal/base/learn papers/projection papers/hdl internal/*
	papers/twin          → internal/base/arena internal/ranks/packet internal/ranks/rank internal/base/spec
	papers/projection    → hops edge stats graph500 papers/bench level internal/base/learn
	report               → hops stats graph500 internal/base/human internal/page/page internal/page/plot github.com/aclements/go-moremath github.com/jedib0t/go-pretty/v6
	internal/page/live          → graph500 report internal/base/human internal/page/page internal/page/web
	cmd/hops             → *

	internal/ranks/alltoall    → internal/base/arena internal/ranks/rank
	internal/base/arena       → golang.org/x/sys
	internal/base/atomicfile  → golang.org/x/sys
	internal/base/bitset      →
	internal/ranks/block       → hops internal/ranks/rank
	internal/base/bottomup    → internal/base/arena internal/base/bitset internal/base/kernel internal/base/par internal/base/prefetch
	internal/base/bucket      →
	internal/testing/browsertest → internal/testing/tooltest github.com/chromedp/chromedp github.com/chromedp/cdproto
	internal/device/ceiling     → internal/base/arena internal/base/par
	internal/testing/checktest   → hops internal/testing/oracle
	internal/device/cuda        → internal/device/dynlib
	internal/ranks/deal        → hops internal/ranks/alltoall internal/base/arena internal/ranks/distributed internal/base/intake internal/base/par internal/ranks/partition internal/ranks/rank
	internal/ranks/distributed → hops level internal/base/learn internal/base/arena internal/base/bitset internal/base/par internal/ranks/partition internal/base/placement internal/ranks/rank internal/base/spec internal/base/topo internal/base/turn
	internal/ranks/distributed/ranktest → hops edge internal/testing/checktest internal/testing/families internal/testing/oracle internal/ranks/distributed internal/ranks/launch internal/device/mpi/mpitest internal/ranks/rank level
	internal/device/dynlib      → github.com/ebitengine/purego
	internal/device/energy      →
	internal/page/explore     → graph hops engine/cpu query internal/page/explore/view internal/base/jsontext internal/page/web
	internal/page/explore/view → graph hops query internal/base/bitset
	internal/ranks/gather      → internal/base/arena internal/base/bitset internal/ranks/distributed internal/ranks/rank
	internal/testing/families    →
	internal/testing/guardtest   →
	internal/base/intake      → hops
	internal/base/human       → github.com/jedib0t/go-pretty/v6
	internal/base/jsontext    →
	internal/ranks/launch      → internal/base/arena internal/device/mpi internal/ranks/rank internal/base/topo golang.org/x/sys
	internal/base/kernel      → golang.org/x/sys/cpu
	internal/testing/lint        →
	internal/testing/mutants     →
	internal/device/mpi         → internal/base/arena internal/device/dynlib golang.org/x/sys
	internal/device/mpi/mpitest → internal/testing/tooltest
	internal/base/mrg         →
	internal/device/nccl        → internal/device/dynlib
	internal/device/nvml        → internal/device/dynlib
	internal/device/opencl      → internal/device/dynlib
	internal/testing/oracle      →
	internal/base/osm         → github.com/klauspost/compress
	internal/base/compression     → github.com/klauspost/compress github.com/mikelolasagasti/xz
	internal/ranks/packet      → internal/base/arena internal/ranks/partition internal/ranks/rank
	internal/page/page        → internal/page/plot internal/base/human internal/base/atomicfile github.com/jedib0t/go-pretty/v6
	internal/base/par         → internal/base/topo golang.org/x/sys/unix
	internal/base/parquet     → github.com/klauspost/compress
	internal/base/placement   → golang.org/x/sys/unix internal/base/arena internal/base/par internal/base/topo
	internal/ranks/partition   → internal/base/bitset
	internal/page/plot        → stats golang.org/x/image
	internal/base/prefetch    →
	internal/page/progress    → internal/base/human golang.org/x/term
	internal/ranks/rank        → internal/base/arena
	internal/base/spec        →
	internal/base/spell       →
	internal/testing/tooltest    →
	internal/base/topo        → golang.org/x/sys
	internal/base/turn        →
	internal/base/webgraph    →
	internal/page/worker      → graph hops csr edge edge/format engine/cpu engine/many query sssp internal/base/arena internal/base/spell internal/base/topo
	internal/page/web         →
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
	repeats := name == "cmd/hops" || strings.HasPrefix(name, "papers/")
	if !listed {
		c.report(p.dir, "is not in the table of dependencies: give it a row in internal/testing/lint/deps_test.go")
		return
	}
	for _, f := range p.files {
		if f.test() {
			continue
		}
		for _, imported := range f.imports() {
			to := short(imported)
			if to != "" && (!permits(allowed, to) || strings.HasPrefix(to, "papers/") && !repeats) {
				c.report(f.path, "%s may not import %s", name, to)
			} else if strings.HasPrefix(to, "internal/testing/") && !strings.HasPrefix(name, "internal/testing/") && !strings.HasSuffix(name, "test") {
				c.report(f.path, "%s is part of the program and may not import %s, which is for tests", name, to)
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
