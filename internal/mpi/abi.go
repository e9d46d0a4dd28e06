package mpi

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// An abi is what a binary must know about an implementation that its functions'
// names do not tell.
type abi struct {
	name       string
	files      []string // to look for, in this order
	handleSize uintptr  // bytes of a handle: a pointer or a C int

	// Handles: constants, or addresses of objects within the library. Those are
	// named by symbols, which bind resolves.
	handles handles
	symbols handleSymbols

	inPlace         uintptr
	statusesIgnored uintptr

	statusSize, sourceAt, tagAt uintptr // layout of MPI_Status, in bytes
	anySource, anyTag           int
	serialized                  int // MPI_THREAD_SERIALIZED; the levels ascend
}

// handles are the predefined objects that we use.
type handles struct {
	world, byteType, wordType uintptr // a word is a uint64
	sum, max, min, or         uintptr
	errorsReturn, null        uintptr // null is MPI_REQUEST_NULL
}

// handleSymbols are the names of the same objects where they are objects.
type handleSymbols struct {
	world, byteType, wordType string
	sum, max, min, or         string
	errorsReturn, null        string
}

// openMPI is the interface of Open MPI from version 2 on.
var openMPI = abi{
	name:       "openmpi",
	files:      []string{"libmpi.so.40", "libmpi.so.20", "libmpi.so"},
	handleSize: 8,
	symbols: handleSymbols{
		world: "ompi_mpi_comm_world", byteType: "ompi_mpi_byte", wordType: "ompi_mpi_uint64_t",
		sum: "ompi_mpi_op_sum", max: "ompi_mpi_op_max", min: "ompi_mpi_op_min", or: "ompi_mpi_op_bor",
		errorsReturn: "ompi_mpi_errors_return", null: "ompi_request_null",
	},
	inPlace: 1, statusesIgnored: 0,
	statusSize: 24, sourceAt: 0, tagAt: 4,
	anySource: -1, anyTag: -1, serialized: 2,
}

// mpich is the interface that MPICH, Intel MPI, MVAPICH and Cray MPI share.
var mpich = abi{
	name:       "mpich",
	files:      []string{"libmpich.so.12", "libmpi.so.12", "libmpi_cray.so.12"},
	handleSize: 4,
	handles: handles{
		world: 0x44000000, byteType: 0x4c00010d, wordType: 0x4c00083e,
		sum: 0x58000003, max: 0x58000001, min: 0x58000002, or: 0x58000008,
		errorsReturn: 0x54000001, null: 0x2c000000,
	},
	inPlace: ^uintptr(0), statusesIgnored: 1,
	statusSize: 20, sourceAt: 8, tagAt: 12,
	anySource: -2, anyTag: -1, serialized: 2,
}

// standard is the interface that MPI 5.0 prescribes in its chapter 20.
var standard = abi{
	name:       "abi",
	files:      []string{"libmpi_abi.so.0", "libmpi_abi.so.1", "libmpi_abi.so"},
	handleSize: 8,
	handles: handles{
		world: 0x101, byteType: 0x247, wordType: 0x259,
		sum: 0x21, max: 0x23, min: 0x22, or: 0x29,
		errorsReturn: 0x143, null: 0x180,
	},
	inPlace: 1, statusesIgnored: 0,
	statusSize: 32, sourceAt: 0, tagAt: 4,
	anySource: -1, anyTag: -2, serialized: 2048,
}

var abis = []abi{openMPI, mpich, standard}

// resolve fills in the handles that are addresses.
func (a *abi) resolve(lib uintptr) error {
	s, h := &a.symbols, &a.handles
	for _, o := range []struct {
		symbol string
		handle *uintptr
	}{
		{s.world, &h.world},
		{s.byteType, &h.byteType},
		{s.wordType, &h.wordType},
		{s.sum, &h.sum},
		{s.max, &h.max},
		{s.min, &h.min},
		{s.or, &h.or},
		{s.errorsReturn, &h.errorsReturn},
		{s.null, &h.null},
	} {
		if o.symbol == "" {
			continue
		}
		address, err := purego.Dlsym(lib, o.symbol)
		if err != nil {
			return fmt.Errorf("no symbol %s", o.symbol)
		}
		*o.handle = address
	}
	return nil
}
