package gpu

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"fmt"
	"io"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/device/cuda"
)

//go:generate sh ../../scripts/generate-ptx.sh

//go:embed kernels/module.ptx.gz
var packedPTX []byte

// modulePTX unpacks the PTX, which takes some 15 ms: a small part of what the driver needs to start.
func modulePTX() (string, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packedPTX))
	if err != nil {
		return "", fmt.Errorf("gpu: the PTX in this program: %w", err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return "", fmt.Errorf("gpu: the PTX in this program: %w", err)
	}
	return string(text), nil
}

// A cudaDevice runs the embedded PTX.
type cudaDevice struct {
	*cuda.Context
	module    *cuda.Module
	functions map[string]*cuda.Function
}

func openCUDA(number int) (device, error) {
	c, err := cuda.Open(number)
	if err != nil {
		return nil, err
	}
	ptx, err := modulePTX()
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	d := &cudaDevice{Context: c, functions: make(map[string]*cuda.Function)}
	if d.module, err = c.Load(ptx); err != nil {
		_ = c.Close()
		return nil, err
	}
	return d, nil
}

func (d *cudaDevice) function(name string) (*cuda.Function, error) {
	if f := d.functions[name]; f != nil {
		return f, nil
	}
	f, err := d.module.Function(name)
	if err == nil {
		d.functions[name] = f
	}
	return f, err
}

// until does nothing: the driver compiles when the module is loaded.
func (d *cudaDevice) until(context.Context) (end func()) { return func() {} }

func (d *cudaDevice) MaxAlloc() int64   { return 1 << 62 }
func (d *cudaDevice) Clock() hops.Clock { return hops.Device }

func (d *cudaDevice) alloc(bytes int64) (buffer, error) {
	b, err := d.Alloc(bytes)
	return buffer(b), err
}

func (d *cudaDevice) free(b buffer) error { return d.Free(cuda.Buffer(b)) }

func (d *cudaDevice) write(b buffer, offset int64, src []byte) error {
	return d.Write(cuda.Buffer(b), offset, src)
}

func (d *cudaDevice) read(dst []byte, b buffer, offset int64) error {
	return d.Read(dst, cuda.Buffer(b), offset)
}

func (d *cudaDevice) copy(dst buffer, dstOffset int64, src buffer, srcOffset, bytes int64) error {
	return d.Copy(cuda.Buffer(dst), dstOffset, cuda.Buffer(src), srcOffset, bytes)
}

func (d *cudaDevice) zero(b buffer, bytes int64) error   { return d.Zero(cuda.Buffer(b), bytes) }
func (d *cudaDevice) pinned(bytes int64) ([]byte, error) { return d.HostAlloc(bytes) }
func (d *cudaDevice) threads(wanted int) int             { return wanted }

func (d *cudaDevice) resident(kernel string, s shape) (int, error) {
	f, err := d.function(kernel)
	if err != nil {
		return 0, err
	}
	each, err := f.Resident(s.threads, s.local)
	if err != nil {
		return 0, err
	}
	processors, err := d.Processors()
	return each * processors, err
}

func (d *cudaDevice) launch(kernel string, s shape, args ...arg) error {
	f, err := d.function(kernel)
	if err != nil {
		return err
	}
	var words [64]uint64
	for i, a := range args {
		words[i] = a.bits
	}
	return f.Launch(cuda.Shape{Blocks: s.blocks, Threads: s.threads, Shared: s.local, Together: s.together}, words[:len(args)]...)
}

func (d *cudaDevice) mapped(pinned []byte) buffer {
	return buffer(uintptr(unsafe.Pointer(unsafe.SliceData(pinned))))
}

// maxSpin bounds the time for which the host looks for a ticket all the time. That sees
// the end of a search some microseconds before the driver would, and keeps a core busy.
// Searches of the largest graphs take some 20 ms.
const maxSpin = 50 * time.Millisecond

func (d *cudaDevice) answer(dst []byte, _ buffer, ticket uint32) error {
	last := (*uint32)(unsafe.Pointer(unsafe.SliceData(dst[len(dst):cap(dst)])))
	for began := time.Now(); atomic.LoadUint32(last) != ticket; {
		if time.Since(began) < maxSpin {
			continue
		}
		if err := d.Sync(); err != nil {
			return err
		}
		if got := atomic.LoadUint32(last); got != ticket {
			return fmt.Errorf("gpu: %s: a launch ended without its ticket %d, the last was %d", d.Name(), ticket, got)
		}
	}
	return nil
}
