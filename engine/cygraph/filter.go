package cygraph

// The filter keeps a vertex from being visited twice by kernels of one FPGA
// while the first write is on its way to memory.
//
// It is a table of the labels claimed last, direct-mapped, in as many banks as
// the FPGA has kernels. P4 asks before it claims; the bank answers in the next
// cycle and has then noted the label. A label in the table was claimed in this
// search by a kernel that will write its row and push it, so that dropping the
// edge is safe. A label that was displaced is claimed again, which is the
// published behaviour. A bank answers one kernel a cycle, the lowest first.
type filter struct {
	labels []uint32 // plus one; 0 is empty
	asked  []uint64 // the cycle in which each bank was last asked, plus one
}

// A verdict is what P4 knows about the oldest row.
type verdict uint8

const (
	unasked verdict = iota
	refused         // the bank was busy with another kernel
	fresh           // nobody claimed it: it is ours
	known           // it was claimed before
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

// ask puts a label to the filter of the kernel's FPGA.
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
