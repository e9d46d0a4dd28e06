package launch

import (
	"hash/fnv"
	"os"
)

// thisHost is a number that ranks have in common if they can share memory: those
// under one kernel that see each other's processes and call their machine the same.
// MPI has an opinion of its own about who can, but some builds of MPICH say of every
// rank that it is alone.
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
