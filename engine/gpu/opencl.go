package gpu

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/device/opencl"
)

//go:embed kernels/*.cu kernels/*.h
var kernelFiles embed.FS

// pathFiles are the files of module.cu that only searches for shortest paths need, and
// pathBasis those that they share with others.
var (
	pathFiles = []string{"bits.h", "weights.cu", "paths.h", "push.cu", "sssp.cu", "ssspverify.cu"}
	pathBasis = []string{"dialect.h", "graph.h", "generate.cu", "layout.cu", "rows.cu", "state.h", "verify.cu"}
)

// source is the text of module.cu with the included files in place, without pathFiles.
func source() (string, error) {
	module, err := kernelFiles.ReadFile("kernels/module.cu")
	if err != nil {
		return "", err
	}
	var files []string
	for line := range strings.Lines(string(module)) {
		name, isInclude := strings.CutPrefix(strings.TrimSpace(line), "#include ")
		if name = strings.Trim(name, `"`); isInclude && !slices.Contains(pathFiles, name) {
			files = append(files, name)
		}
	}
	return textOf(files)
}

// An openclDevice runs the kernels' source.
type openclDevice struct {
	*opencl.Context
	leaving
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

// openOpenCL opens the device of the options and compiles the kernels that they need.
func (o *Options) openOpenCL() (device, error) {
	if o.weights {
		return openOpenCLSome(o.Device, o.defines, slices.Concat(pathBasis, pathFiles)...)
	}
	return openOpenCL(o.Device, o.defines)
}

// openOpenCLSome compiles some of the kernels only, which takes seconds less than all
// kernels.
func openOpenCLSome(number int, defines string, files ...string) (device, error) {
	text, err := textOf(files)
	if err != nil {
		return nil, fmt.Errorf("gpu: kernels: %w", err)
	}
	return compileOpenCL(number, defines, text)
}

// textOf is the text of some files, one after the other.
func textOf(files []string) (string, error) {
	var all strings.Builder
	for _, name := range files {
		text, err := kernelFiles.ReadFile("kernels/" + name)
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	return all.String(), nil
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
	d.wait()
	b, err := d.Alloc(bytes)
	return buffer(b), err
}

// free leaves a buffer to Close while a call that was left may use it.
func (d *openclDevice) free(b buffer) error {
	if d.left != nil {
		return nil
	}
	return d.Free(opencl.Buffer(b))
}

func (d *openclDevice) Sync() error {
	d.wait()
	return d.Context.Sync()
}

func (d *openclDevice) Close() error { return d.close(d.Context.Close) }

func (d *openclDevice) write(b buffer, offset int64, src []byte) error {
	d.wait()
	return d.Write(opencl.Buffer(b), offset, src)
}

func (d *openclDevice) read(dst []byte, b buffer, offset int64) error {
	d.wait()
	return d.Read(dst, opencl.Buffer(b), offset)
}

func (d *openclDevice) copy(dst buffer, dstOffset int64, src buffer, srcOffset, bytes int64) error {
	d.wait()
	return d.Copy(opencl.Buffer(dst), dstOffset, opencl.Buffer(src), srcOffset, bytes)
}

func (d *openclDevice) zero(b buffer, bytes int64) error {
	d.wait()
	return d.Zero(opencl.Buffer(b), bytes)
}

func (d *openclDevice) pinned(bytes int64) ([]byte, error) { return make([]byte, bytes), nil }
func (d *openclDevice) threads(int) int                    { return lanes }

// resident is one block: OpenCL 1.2 does not promise that blocks run at the same time.
func (d *openclDevice) resident(string, shape) (int, error) { return 1, nil }

// LocalMemory is 0: kernels declare all that they use.
func (d *openclDevice) LocalMemory() (int, error) { return 0, nil }

func (d *openclDevice) launch(kernel string, s shape, args ...arg) error {
	d.wait()
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
	if !d.IsCPU() || d.ctx == nil {
		return k.Launch(s.blocks, s.threads, words[:len(args)], sizes[:len(args)])
	}
	w, z := slices.Clone(words[:len(args)]), slices.Clone(sizes[:len(args)])
	return d.run(func() error { return k.Launch(s.blocks, s.threads, w, z) })
}

// mapped is 0: the host reads what kernels have written.
func (d *openclDevice) mapped([]byte) buffer { return 0 }

func (d *openclDevice) answer(dst []byte, b buffer, _ uint32) error { return d.read(dst, b, 0) }
