package topo

import (
	"slices"
	"testing"
)

func TestParseCPUs(t *testing.T) {
	tests := []struct {
		list string
		want CPUs
	}{
		{"", nil},
		{"0\n", CPUs{0}},
		{"0-3", CPUs{0, 1, 2, 3}},
		{"0-1,8,10-11\n", CPUs{0, 1, 8, 10, 11}},
		{"7,3-4,4-5", CPUs{3, 4, 5, 7}},
	}
	for _, tt := range tests {
		got, err := ParseCPUs(tt.list)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %v, %v; want %v", tt.list, []int(got), err, []int(tt.want))
		}
	}
	for _, list := range []string{"x", "3-1", "-1", "0-", "0,,1", "0-65536", "0-3:1/2", "99999999999999999999"} {
		if got, err := ParseCPUs(list); err == nil {
			t.Errorf("%q: got %v, want an error", list, got)
		}
	}
}

func FuzzParseCPUs(f *testing.F) {
	f.Add("0-3,8,10-11")
	f.Add("0-65535,0-65535")
	f.Fuzz(func(t *testing.T, list string) {
		cpus, err := ParseCPUs(list)
		if err != nil {
			return
		}
		if !slices.IsSorted(cpus) || len(slices.Compact(slices.Clone(cpus))) != len(cpus) {
			t.Fatalf("%q: %v is not an ascending set", list, []int(cpus))
		}
		again, err := ParseCPUs(cpus.String())
		if err != nil || !slices.Equal(again, cpus) {
			t.Fatalf("%q: %s reads back as %v, %v", list, cpus, []int(again), err)
		}
	})
}
