package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Resign tells MPICH's launcher that this process ends as it should, without
// MPI_Finalize: it sends the last message that MPI_Finalize would send, in the
// launcher's protocol (PMI 1, over a socket that every process inherits), and waits for
// the answer. No MPI function may be called afterwards.
//
// It is for MPICH over the TCP transport of UCX, whose MPI_Finalize waits for ever in
// about half of all runs on several hosts.
func Resign() error {
	fd, err := strconv.Atoi(os.Getenv("PMI_FD"))
	if err != nil {
		return errors.New("mpi: the launcher left no PMI_FD to resign at")
	}
	limit := syscall.NsecToTimeval(int64(10 * time.Second))
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit); err != nil {
		return fmt.Errorf("mpi: PMI_FD %d: %w", fd, err)
	}
	if _, err := syscall.Write(fd, []byte("cmd=finalize\n")); err != nil {
		return fmt.Errorf("mpi: resign: %w", err)
	}
	var answer []byte
	for !bytes.HasSuffix(answer, []byte("\n")) {
		b := make([]byte, 256)
		n, err := syscall.Read(fd, b)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil || n == 0 {
			return fmt.Errorf("mpi: resign: no answer: %w", err)
		}
		answer = append(answer, b[:n]...)
	}
	if !strings.HasPrefix(string(answer), "cmd=finalize_ack") {
		return fmt.Errorf("mpi: resign: the launcher says %.60q", answer)
	}
	return nil
}

// AbortJob tells MPICH's launcher, if that has started this process, to end all of its
// processes. Hydra does so by itself when a process that called MPI_Init ends, but
// waits for ever for the others when one ends before. It is for a process that is
// about to exit.
func AbortJob() {
	if fd, err := strconv.Atoi(os.Getenv("PMI_FD")); err == nil {
		_, _ = syscall.Write(fd, []byte("cmd=abort exitcode=1\n"))
	}
}

// pmiSocket returns the inode of the socket to the launcher, or 0 if this process has
// none.
func pmiSocket() uint64 {
	fd, err := strconv.Atoi(os.Getenv("PMI_FD"))
	var s syscall.Stat_t
	if err != nil || syscall.Fstat(fd, &s) != nil || s.Mode&syscall.S_IFMT != syscall.S_IFSOCK {
		return 0
	}
	return s.Ino
}
