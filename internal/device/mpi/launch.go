package mpi

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohops/hops/internal/device/dynlib"
)

// A launch says how this process was started, as far as its environment tells.
type launch struct {
	by   string // description of the launcher; "" without one
	size int    // processes that it says it started; 0 if it does not say
	abis []abi  // binary interfaces to try, the most likely first
}

// launchers are recognised by an environment variable that they set, the most specific
// first: srun sets its own variables beside those of the library that it serves.
var launchers = []struct {
	variable, size, by string
	abis               []abi
}{
	{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun", []abi{openMPI, standard}},
	{"PMIX_RANK", "", "a PMIx launcher", []abi{openMPI, standard, mpich}},
	{"PMI_SIZE", "PMI_SIZE", "a PMI launcher such as mpiexec.hydra", []abi{mpich, standard, openMPI}},
	{"PMI_FD", "", "a PMI launcher", []abi{mpich, standard, openMPI}},
	{"PALS_RANKID", "", "PALS", []abi{mpich, standard}},
}

// detect finds the launcher of this process.
func detect(getenv func(string) string) launch {
	for _, l := range launchers {
		if getenv(l.variable) == "" {
			continue
		}
		size, _ := strconv.Atoi(getenv(l.size))
		return launch{by: l.by, size: size, abis: l.abis}
	}
	return launch{abis: abis}
}

// Launched tells whether an MPI launcher started this process.
func Launched() bool { return detect(os.Getenv).by != "" }

// Processes returns how many processes the launcher says it started, 0 if it does not
// say.
func Processes() int { return detect(os.Getenv).size }

// KillsAtOnce tells whether the launcher is Hydra, which kills all processes as soon
// as it sees one dead.
func KillsAtOnce() bool {
	return os.Getenv("OMPI_COMM_WORLD_SIZE") == "" && os.Getenv("PMI_RANK") != ""
}

// A candidate is a library file to try, and its binary interface.
type candidate struct {
	file string
	abi  abi
}

// candidates lists the libraries to try. For a path in chosen the interface follows from
// the file's name, or, between Open MPI and MPICH, from the symbols in the library.
func candidates(l launch, chosen string) ([]candidate, error) {
	var list []candidate
	if strings.ContainsRune(chosen, filepath.Separator) {
		order := []abi{openMPI, mpich}
		if strings.Contains(filepath.Base(chosen), "mpi_abi") {
			order = []abi{standard}
		}
		for _, a := range order {
			list = append(list, candidate{chosen, a})
		}
		return list, nil
	}
	tables := l.abis
	if chosen != "" {
		i := slices.IndexFunc(abis, func(a abi) bool { return a.name == chosen })
		if i < 0 {
			return nil, fmt.Errorf("mpi: library %s: want openmpi, mpich, abi or the path of a library", chosen)
		}
		tables = abis[i : i+1]
	}
	for _, a := range tables {
		for _, file := range a.files {
			list = append(list, candidate{file, a})
		}
	}
	return list, nil
}

// open loads the first candidate that exists and has all needed functions.
func open(list []candidate) (*Library, error) {
	var tried []string
	for _, c := range list {
		lib, err := dynlib.Load(c.file)
		if errors.Is(err, dynlib.ErrStatic) {
			return nil, fmt.Errorf("mpi: %w", err)
		}
		if err != nil {
			tried = append(tried, c.file)
			continue
		}
		l := &Library{abi: c.abi, file: c.file}
		if err := l.bind(lib); err != nil {
			tried = append(tried, fmt.Sprintf("%s (as %s: %v)", c.file, c.abi.name, err))
			continue
		}
		return l, nil
	}
	return nil, fmt.Errorf("mpi: no MPI library found; looked for %s. Install Open MPI or MPICH, add its folder to LD_LIBRARY_PATH, or name the library by its path",
		strings.Join(tried, ", "))
}
