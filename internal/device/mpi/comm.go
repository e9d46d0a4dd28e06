package mpi

import (
	"fmt"
	"os"

	"github.com/gohops/hops/internal/device/dynlib"
)

// A Comm is an MPI communicator: a group of ranks whose messages are separate from
// those of other groups.
type Comm struct {
	Rank, Size int

	lib    *Library
	handle uintptr
}

// World returns the group of all processes that the launcher started.
func (l *Library) World() (*Comm, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.comm(l.handles[world])
}

// comm returns the Comm of a handle.
func (l *Library) comm(handle uintptr) (*Comm, error) {
	c := &Comm{lib: l, handle: handle}
	for name, result := range map[string]*int{"MPI_Comm_rank": &c.Rank, "MPI_Comm_size": &c.Size} {
		if err := l.call(name, handle, address(&l.out.number)); err != nil {
			return nil, err
		}
		*result = int(l.out.number)
	}
	return c, nil
}

// Split makes one group of all ranks that give the same color, in the order of
// their keys. All ranks of c must call it. It is the only operation of this package
// that blocks, and is meant for the start of a program.
func (c *Comm) Split(color, key int) (*Comm, error) {
	l := c.lib
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out.handle = 0
	if err := l.call("MPI_Comm_split", c.handle, uintptr(color), uintptr(key), address(&l.out.handle)); err != nil {
		return nil, err
	}
	return l.comm(uintptr(l.out.handle))
}

// Free frees a group that Split made.
func (c *Comm) Free() error {
	c.lib.mu.Lock()
	defer c.lib.mu.Unlock()
	c.lib.out.handle = uint64(c.handle)
	return c.lib.call("MPI_Comm_free", address(&c.lib.out.handle))
}

// maxCount is the largest number of elements of a message: MPI counts in C ints.
const maxCount = 1<<31 - 1

func checkCount(what string, n int) error {
	if n > maxCount {
		return fmt.Errorf("mpi: %s of %d bytes: the most is %d", what, n, maxCount)
	}
	return nil
}

// Some libraries are CUDA-aware: they accept addresses in the memory of CUDA devices as
// buffers. There is no standard function that tells; each implementation has its own.

// deviceVariables are the environment variables that turn CUDA-awareness on in Cray MPI
// and in MVAPICH, which have no function that tells.
var deviceVariables = []string{"MPICH_GPU_SUPPORT_ENABLED", "MV2_USE_CUDA"}

// TakesDevices tells whether buffers may be memory of CUDA devices.
func (l *Library) TakesDevices() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queryCUDA() || l.queryGPU() || switchedOn(os.Getenv)
}

// queryCUDA asks Open MPI, and MPICH since version 4:
// int MPIX_Query_cuda_support(void).
func (l *Library) queryCUDA() bool {
	found, err := dynlib.Find(l.lib, "MPIX_Query_cuda_support")
	if err != nil {
		return false
	}
	yes := dynlib.Call(found["MPIX_Query_cuda_support"])
	return int32(yes) == 1
}

// queryGPU asks MPICH since version 3.4:
// int MPIX_GPU_query_support(int kind, int *answer), where kind 0 is CUDA.
func (l *Library) queryGPU() bool {
	found, err := dynlib.Find(l.lib, "MPIX_GPU_query_support")
	if err != nil {
		return false
	}
	const cuda = 0
	l.out.flag = 0
	code := dynlib.Call(found["MPIX_GPU_query_support"], cuda, address(&l.out.flag))
	return int32(code) == 0 && l.out.flag == 1
}

func switchedOn(getenv func(string) string) bool {
	for _, name := range deviceVariables {
		if getenv(name) == "1" {
			return true
		}
	}
	return false
}
