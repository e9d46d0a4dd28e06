package cygraph

// The filter keeps a vertex from being visited twice by kernels of one FPGA
// while the first write is on its way to memory.
//
// It is a table of the labels claimed last, direct-mapped, in as many banks as
// the FPGA has kernels. P4 queries it before it claims a vertex; the bank answers in
// the next cycle and has then stored the label. A label in the table was claimed in
// this search by a kernel that will write its row and push it, so dropping the edge is
// safe. A label that another one has displaced is claimed again, as all labels are in
// the published design. A bank answers one kernel a cycle, the lowest first.
type filter struct {
	labels []uint32 // label plus one; 0 is empty
	asked  []uint64 // the cycle in which each bank was last queried, plus one
}

// A verdict is the filter's answer about the oldest row.
type verdict uint8

const (
	unasked verdict = iota
	refused         // the bank was busy with another kernel
	fresh           // no kernel claimed it before: this one may
	known           // a kernel claimed it before
)

func newFilters(o Options) []filter {
	if o.Filter == 0 {
		return nil
	}
	filters := make([]filter, o.FPGAs)
	for i := range filters {
		filters[i] = filter{labels: make([]uint32, o.Filter), asked: make([]uint64, o.Kernels/o.FPGAs)}
	}
	return filters
}

func (f *filter) reset() {
	clear(f.labels)
	clear(f.asked)
}

// ask queries the filter of the kernel's FPGA for a label.
func (k *kernel) ask(label uint32) verdict {
	m := k.m
	f := &m.filters[k.id/len(m.filters[0].asked)]
	bank := &f.asked[int(label)%len(f.asked)]
	if *bank == m.now+1 {
		return refused
	}
	*bank = m.now + 1
	entry := &f.labels[label&uint32(len(f.labels)-1)]
	if *entry == label+1 {
		return known
	}
	*entry = label + 1
	return fresh
}
