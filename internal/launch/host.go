package launch

import (
	"hash/fnv"
	"os"
)

// thisHost returns a number that is equal for ranks that can share memory: ranks under
// one kernel, in one process namespace and with one host name.
// MPI_Comm_split_type answers the same question, but some builds of MPICH put every
// rank on a host of its own.
func thisHost() uint64 {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	processes, _ := os.Readlink("/proc/self/ns/pid")
	name, _ := os.Hostname()
	h := fnv.New64a()
	for _, s := range []string{string(boot), processes, name} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return h.Sum64()
}
