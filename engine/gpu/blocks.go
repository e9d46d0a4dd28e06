package gpu

import (
	"cmp"
	"errors"
	"sync"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/device/cuda"
	"github.com/gohops/hops/internal/ranks/block"
)

// Blocks has the blocks of engine grid's ranks in this process on devices: see grid.Options.Device.
type Blocks interface{ HaveBlocks() }

// NewBlocks has blocks on the devices of a driver, as Options has it.
func NewBlocks(driver string) Blocks { return (&deviceBlocks{Driver: driver}).devices() }

func (all *deviceBlocks) devices() block.Devices {
	return block.Devices{
		Attach: func(b block.Block, local int) (block.Accelerator, error) {
			on, err := all.New(b, local)
			return orNone(on, err)
		},
		Maker: func(src hops.Source, local, onHost, ranks int) (block.Maker, error) {
			maker, err := all.Maker(src, local, onHost, ranks)
			if err != nil || maker == nil {
				return nil, err
			}
			return maker, nil
		},
	}
}

// orNone is the interface of a block, nil where there is none.
func orNone(on *deviceBlock, err error) (block.Accelerator, error) {
	if err != nil {
		return nil, err
	}
	return on, nil
}

// Blocks offer ranks the ways from one device to another, and trees that stay on devices.
var (
	_ block.Neighbor  = (*deviceBlock)(nil)
	_ block.Carrier   = (*deviceBlock)(nil)
	_ block.Addressed = (*deviceBlock)(nil)
	_ block.Pinner    = (*deviceBlock)(nil)
	_ block.Judge     = (*deviceBlock)(nil)
)

// deviceBlocks puts the blocks of the ranks of a process on the devices of its host, in turn.
// Blocks on a device of OpenCL have its context in common, so that one can copy from
// another, and the compiled kernels.
type deviceBlocks struct {
	Driver string // as in Options

	defines string // as in Options; "": none
	extreme int64  // the EXTREME of the defines
	mutex   sync.Mutex
	common  *openclDevice // nil: no block is on a device of OpenCL
	users   int           // of it
}

// New puts a block on a device, that of number local among the ranks of the host.
func (all *deviceBlocks) New(b block.Block, local int) (*deviceBlock, error) {
	d, shared, err := all.open(local)
	if err != nil {
		return nil, err
	}
	if err := checkBlock(&b); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	m := newMemory(d)
	on, err := newBlock(m, b, makeGraph(m, b.Rows, 32*wordsOf(&b)), makeGraph(m, b.Columns, b.Width), shared)
	if err == nil {
		on.hasExtreme = b.Rows.Longest() > all.extremeRow()
	}
	return on, err
}

func (all *deviceBlocks) extremeRow() int64 { return cmp.Or(all.extreme, extremeRow) }

// open opens one device after the other: PoCL lists its devices at the first request and
// cannot serve two first requests at once. shared tells whether an earlier rank of the host
// has the device too.
func (all *deviceBlocks) open(local int) (d device, shared bool, err error) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	if n, err := cuda.Count(); all.Driver == "cuda" || all.Driver == "" && err == nil {
		d, err = openCUDA(local % max(n, 1))
		return d, local >= n, err
	}
	if all.common == nil {
		d, err := open(&Options{Driver: all.Driver, defines: all.defines})
		if err != nil {
			return nil, false, err
		}
		all.common = d.(*openclDevice)
	}
	all.users++
	c, err := all.common.sibling()
	if err != nil {
		return nil, false, errors.Join(err, all.leave())
	}
	return &userOf{c, all}, true, nil
}

// A userOf has a device in common with others.
type userOf struct {
	*openclDevice
	all *deviceBlocks
}

// Close gives the device back, with the last of its users.
func (u *userOf) Close() error {
	u.all.mutex.Lock()
	defer u.all.mutex.Unlock()
	return errors.Join(u.openclDevice.Close(), u.all.leave())
}

func (all *deviceBlocks) leave() error {
	all.users--
	if all.users > 0 {
		return nil
	}
	d := all.common
	all.common = nil
	return d.Close()
}
