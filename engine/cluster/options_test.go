package cluster

import (
	"strings"
	"testing"

	"github.com/gohops/hops/level"
)

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{
		{Exchange: "pigeons"},
		{Encoding: "morse"},
		{Policy: "coin"},
		{Rows: "columns"},
		{Sync: "never"},
		{Gather: "all"},
		{Bitmaps: "x"},
		{Place: "window"},
		{Labels: "long"},
		{Summary: 100},
		{Summary: 32},
		{Heavy: 1 << 20},
		{Ranks: 2, Hosts: 3},
		{Heavy: -1},
	} {
		if s, err := Build(t.Context(), kronecker(t, 5), o); err == nil {
			_ = s.Close()
			t.Errorf("%+v was accepted", o)
		}
	}
}

// More threads than there are channels are refused with the number that there can be.
func TestMostThreads(t *testing.T) {
	s, err := Build(t.Context(), kronecker(t, 5), Options{Ranks: 2, Threads: MaxThreads + 1})
	if err == nil {
		_ = s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "2049 threads in a rank: there can be at most 2048") {
		t.Error(err)
	}
}

// Options that have no effect beside others are refused, with the names of both.
func TestCombinationsAreChecked(t *testing.T) {
	for names, o := range map[string]Options{
		"light excludes heavy":               {Light: true, Heavy: 3},
		"exchange=messages excludes policy":  {Exchange: "messages", Policy: "checconi"},
		"sync=bulk excludes encoding":        {Sync: "bulk", Encoding: "packed"},
		"exchange=messages excludes gather":  {Exchange: "messages", Gather: "per-rank"},
		"exchange=probe excludes gather":     {Exchange: "probe", Gather: "leader"},
		"exchange=messages excludes bitmaps": {Exchange: "messages", Bitmaps: "dense"},
		"exchange=probe excludes summary":    {Exchange: "probe", Summary: 64},
	} {
		if err := o.check(); err == nil || !strings.Contains(err.Error(), names) {
			t.Errorf("%+v: %v, want that %s", o, err, names)
		}
	}
	for _, o := range []Options{
		{Light: true, Sync: "bulk", Rows: "list", Exchange: "messages"},
		{Exchange: "allgather", Gather: "per-rank", Bitmaps: "dense", Summary: 64, Encoding: "packed", Heavy: 3},
		{Gather: "leader", Bitmaps: "dense", Summary: 64, Sync: "bulk"},
	} {
		if err := o.check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A single exchange has the policy of its paper, unless the options name another.
func TestPolicies(t *testing.T) {
	for _, x := range []struct {
		o    Options
		want level.Policy
	}{
		{Options{Exchange: "probe"}, level.Checconi{}},
		{Options{Exchange: "allgather"}, level.Beamer},
		{Options{Exchange: "probe", Policy: "alpha-beta"}, level.RuleOfThumb},
		{Options{Exchange: "allgather", Policy: "checconi"}, level.Checconi{}},
		{Options{Policy: "checconi"}, level.Checconi{}},
	} {
		x.o.Threads = 1
		if got := mustBuild(t, kronecker(t, 5), x.o).Ranks[1].Policy; got != x.want {
			t.Errorf("%+v: %T, want %T", x.o, got, x.want)
		}
	}
}
