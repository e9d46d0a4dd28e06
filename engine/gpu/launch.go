package gpu

// The launch of a kernel has three layers. The driver's own launch takes the
// kernel's name and a list of arguments: device.launch, in cuda.go and opencl.go.
// Above it every kernel has one method with Go types, named after the kernel:
// launch_build.go and launch_search.go. All other files call these methods.
// A test reads the kernels' source and compares names, numbers and sizes of the
// parameters with the second layer.

// An arg is an argument of a kernel: its bits, and its size in bytes.
type arg struct {
	bits uint64
	size uint8
}

func mem(b buffer) arg                       { return arg{uint64(b), 8} }
func u32[T ~uint32 | ~int | ~int64](x T) arg { return arg{uint64(uint32(x)), 4} }
func u64[T ~uint64 | ~int64](x T) arg        { return arg{uint64(x), 8} }

func boolean(b bool) arg {
	if b {
		return arg{1, 4}
	}
	return arg{0, 4}
}

// A shape is a grid of blocks.
type shape struct {
	blocks, threads int
	together        bool // all blocks must be resident at once
	local           int  // bytes of local memory for each block, beyond what a kernel declares
}

// kernels launches the kernels of one device. The methods of kernels, of graph and
// of state pass on their own arguments, together with those that make a graph or a
// search.
type kernels struct{ dev device }

func (k kernels) launch(kernel string, s shape, own ...arg) error {
	return k.dev.launch(kernel, s, own...)
}

// launch passes the kernel's own arguments before those of the graph.
func (g *graph) launch(kernel string, s shape, own ...arg) error {
	return g.dev.launch(kernel, s, g.args(own...)...)
}

// launch passes the kernel's own arguments after those of the graph and the search.
func (s *state) launch(kernel string, grid shape, own ...arg) error {
	return s.dev.launch(kernel, grid, s.args(own...)...)
}

// outward is the state for kernels that read rows out of the vertices.
func (s *state) outward() *state {
	if s.out == nil {
		return s
	}
	t := *s
	t.graph = s.out
	return &t
}

// maxBlocks is the largest grid of kernels that loop over their work. It fills any
// device; a larger grid gains nothing.
const maxBlocks = 4096

// covering returns a grid with a thread for every item, of at most maxBlocks blocks.
func (k kernels) covering(items int64, threads int) shape {
	threads = k.dev.threads(threads)
	return shape{blocks: int(max(1, min((items+int64(threads)-1)/int64(threads), maxBlocks))), threads: threads}
}
