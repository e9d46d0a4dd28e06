package gpu

import (
	"embed"
	"fmt"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/opencl"
)

//go:embed kernels/*.cu kernels/*.h
var kernelFiles embed.FS

// source is the text of module.cu with the included files in place.
func source() (string, error) {
	module, err := kernelFiles.ReadFile("kernels/module.cu")
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for line := range strings.Lines(string(module)) {
		name, isInclude := strings.CutPrefix(strings.TrimSpace(line), "#include ")
		if !isInclude {
			continue
		}
		text, err := kernelFiles.ReadFile("kernels/" + strings.Trim(name, `"`))
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	return all.String(), nil
}

// An openclDevice runs the kernels' source.
type openclDevice struct {
	*opencl.Context
	program *opencl.Program
	kernels map[string]*opencl.Kernel
}

// lanes is the size of every block: one warp.
const lanes = 32

func openOpenCL(number int, defines string) (device, error) {
	text, err := source()
	if err != nil {
		return nil, fmt.Errorf("gpu: kernels: %w", err)
	}
	return compileOpenCL(number, defines, text)
}

func compileOpenCL(number int, defines, text string) (device, error) {
	c, err := opencl.Open(number)
	if err != nil {
		return nil, err
	}
	d := &openclDevice{Context: c, kernels: make(map[string]*opencl.Kernel)}
	if c.IsCPU() {
		// PoCL then compiles the fused search in less than half the time.
		defines += " -cl-opt-disable"
	}
	if d.program, err = c.Build(text, "-cl-std=CL1.2 "+defines); err != nil {
		_ = c.Close()
		return nil, err
	}
	return d, nil
}

// sibling is the same device with a queue of its own, and the same program.
func (d *openclDevice) sibling() (*openclDevice, error) {
	c, err := d.Sibling()
	if err != nil {
		return nil, err
	}
	return &openclDevice{Context: c, program: d.program.For(c), kernels: make(map[string]*opencl.Kernel)}, nil
}

func (d *openclDevice) Clock() hops.Clock { return hops.Wall }

func (d *openclDevice) alloc(bytes int64) (buffer, error) {
	b, err := d.Alloc(bytes)
	return buffer(b), err
}

func (d *openclDevice) free(b buffer) error { return d.Free(opencl.Buffer(b)) }

func (d *openclDevice) write(b buffer, offset int64, src []byte) error {
	return d.Write(opencl.Buffer(b), offset, src)
}

func (d *openclDevice) read(dst []byte, b buffer, offset int64) error {
	return d.Read(dst, opencl.Buffer(b), offset)
}

func (d *openclDevice) copy(dst buffer, dstOffset int64, src buffer, srcOffset, bytes int64) error {
	return d.Copy(opencl.Buffer(dst), dstOffset, opencl.Buffer(src), srcOffset, bytes)
}

func (d *openclDevice) zero(b buffer, bytes int64) error { return d.Zero(opencl.Buffer(b), bytes) }

func (d *openclDevice) pinned(bytes int64) ([]byte, error) { return make([]byte, bytes), nil }
func (d *openclDevice) threads(int) int                    { return lanes }

// resident is one block: OpenCL 1.2 does not promise that blocks run at the same time.
func (d *openclDevice) resident(string, shape) (int, error) { return 1, nil }

// LocalMemory is 0: kernels declare all that they use.
func (d *openclDevice) LocalMemory() (int, error) { return 0, nil }

func (d *openclDevice) launch(kernel string, s shape, args ...arg) error {
	k := d.kernels[kernel]
	if k == nil {
		var err error
		if k, err = d.program.Kernel(kernel); err != nil {
			return err
		}
		d.kernels[kernel] = k
	}
	var words [64]uint64
	var sizes [64]uint8
	for i, a := range args {
		words[i], sizes[i] = a.bits, a.size
	}
	return k.Launch(s.blocks, s.threads, words[:len(args)], sizes[:len(args)])
}

// mapped is 0: the host reads what kernels have written.
func (d *openclDevice) mapped([]byte) buffer { return 0 }

func (d *openclDevice) answer(dst []byte, b buffer, _ uint32) error { return d.read(dst, b, 0) }
