package topo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxCPU limits the numbers in a list, so that a malformed file cannot cause an
// allocation of gigabytes. Linux supports 8192 CPUs.
const maxCPU = 1 << 16

// CPUs is a set of logical CPUs, or of NUMA nodes, by number.
type CPUs []int

// ParseCPUs reads the kernel's form of a set, such as "0-3,8". The result is
// ascending, without duplicates.
func ParseCPUs(s string) (CPUs, error) {
	var cpus CPUs
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		lo, errLo := strconv.ParseUint(from, 10, 32)
		hi, errHi := strconv.ParseUint(to, 10, 32)
		if errLo != nil || errHi != nil || lo > hi || hi >= maxCPU {
			return nil, fmt.Errorf("topo: %q in list %.40q: want numbers or ranges below %d", part, s, maxCPU)
		}
		for c := int(lo); c <= int(hi); c++ {
			cpus = append(cpus, c)
		}
		if len(cpus) > maxCPU {
			return nil, fmt.Errorf("topo: list %.40q: the same numbers again and again", s)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// String returns the kernel's form of the set.
func (c CPUs) String() string {
	sorted := slices.Sorted(slices.Values(c))
	var b strings.Builder
	for i := 0; i < len(sorted); {
		end := i
		for end+1 < len(sorted) && sorted[end+1] <= sorted[end]+1 {
			end++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(sorted[i]))
		if sorted[end] > sorted[i] {
			b.WriteString("-" + strconv.Itoa(sorted[end]))
		}
		i = end + 1
	}
	return b.String()
}

// MarshalText makes a set one short string in JSON.
func (c CPUs) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (c *CPUs) UnmarshalText(b []byte) (err error) {
	*c, err = ParseCPUs(string(b))
	return err
}

// Has reports whether a number is in the set.
func (c CPUs) Has(cpu int) bool { return slices.Contains(c, cpu) }

// and returns the members of c that are also in d, in the order of c.
func (c CPUs) and(d CPUs) CPUs {
	var both CPUs
	for _, cpu := range c {
		if d.Has(cpu) {
			both = append(both, cpu)
		}
	}
	return both
}
