package mpi

import (
	"os"

	"github.com/ebitengine/purego"
)

// Some libraries can be built to take addresses in the memory of CUDA devices where
// any other buffer may stand. What they were built for, and whether it is switched
// on, they tell in ways of their own.

// deviceVariables are those that switch it on where no function tells: of Cray MPI
// and of MVAPICH.
var deviceVariables = []string{"MPICH_GPU_SUPPORT_ENABLED", "MV2_USE_CUDA"}

// TakesDevices tells whether buffers may be memory of CUDA devices.
func (l *Library) TakesDevices() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queryCUDA() || l.queryGPU() || switchedOn(os.Getenv)
}

// queryCUDA asks as Open MPI wants to be asked, and MPICH too since version 4:
// int MPIX_Query_cuda_support(void).
func (l *Library) queryCUDA() bool {
	f, err := purego.Dlsym(l.lib, "MPIX_Query_cuda_support")
	if err != nil {
		return false
	}
	yes, _, _ := purego.SyscallN(f)
	return int32(yes) == 1
}

// queryGPU asks as MPICH wants to be asked since version 3.4:
// int MPIX_GPU_query_support(int kind, int *answer), of which kind 0 is CUDA.
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
