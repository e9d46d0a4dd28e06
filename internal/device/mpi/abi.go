package mpi

// An abi is the binary interface of an MPI implementation: the constants and layouts
// that a C program takes from mpi.h.
type abi struct {
	name  string
	files []string // names of the library, in the order in which they are tried

	// Handles are constants, or addresses of objects in the library, which bind
	// looks up by their symbols.
	handles [objects]uintptr
	symbols [objects]string

	inPlace         uintptr
	statusesIgnored uintptr

	sourceAt   uintptr // offset in MPI_Status, in bytes
	anySource  int     // MPI_ANY_SOURCE
	serialized int     // MPI_THREAD_SERIALIZED; higher levels have higher numbers
}

// An object is a predefined MPI object that this package uses.
type object int

const (
	world object = iota
	byteType
	wordType // that of uint64
	sumOp
	maxOp
	orOp
	errorsReturn
	objects
)

// openMPI is the binary interface of Open MPI from version 2 on.
var openMPI = abi{
	name:  "openmpi",
	files: []string{"libmpi.so.40", "libmpi.so.20", "libmpi.so"},
	symbols: [objects]string{
		world: "ompi_mpi_comm_world", byteType: "ompi_mpi_byte", wordType: "ompi_mpi_uint64_t",
		sumOp: "ompi_mpi_op_sum", maxOp: "ompi_mpi_op_max", orOp: "ompi_mpi_op_bor",
		errorsReturn: "ompi_mpi_errors_return",
	},
	inPlace: 1, statusesIgnored: 0,
	sourceAt: 0, anySource: -1, serialized: 2,
}

// mpich is the binary interface that MPICH, Intel MPI, MVAPICH and Cray MPI share.
var mpich = abi{
	name:  "mpich",
	files: []string{"libmpich.so.12", "libmpi.so.12", "libmpi_cray.so.12"},
	handles: [objects]uintptr{
		world: 0x44000000, byteType: 0x4c00010d, wordType: 0x4c00083e,
		sumOp: 0x58000003, maxOp: 0x58000001, orOp: 0x58000008,
		errorsReturn: 0x54000001,
	},
	inPlace: ^uintptr(0), statusesIgnored: 1,
	sourceAt: 8, anySource: -2, serialized: 2,
}

// standard is the binary interface that MPI 5.0 defines in its chapter 20.
var standard = abi{
	name:  "abi",
	files: []string{"libmpi_abi.so.0", "libmpi_abi.so.1", "libmpi_abi.so"},
	handles: [objects]uintptr{
		world: 0x101, byteType: 0x247, wordType: 0x259,
		sumOp: 0x21, maxOp: 0x23, orOp: 0x29,
		errorsReturn: 0x143,
	},
	inPlace: 1, statusesIgnored: 0,
	sourceAt: 0, anySource: -1, serialized: 2048,
}

var abis = []abi{openMPI, mpich, standard}
