package mpi

import (
	"os"

	"github.com/ebitengine/purego"
)

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
	f, err := purego.Dlsym(l.lib, "MPIX_Query_cuda_support")
	if err != nil {
		return false
	}
	yes, _, _ := purego.SyscallN(f)
	return int32(yes) == 1
}

// queryGPU asks MPICH since version 3.4:
// int MPIX_GPU_query_support(int kind, int *answer), where kind 0 is CUDA.
func (l *Library) queryGPU() bool {
	f, err := purego.Dlsym(l.lib, "MPIX_GPU_query_support")
	if err != nil {
		return false
	}
	const cuda = 0
	l.out.flag = 0
	code, _, _ := purego.SyscallN(f, cuda, address(&l.out.flag))
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
