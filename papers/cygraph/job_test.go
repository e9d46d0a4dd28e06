package cygraph

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// A simJob is one search to simulate. Addresses count words of 64 bits.
type simJob struct {
	RowsAt, EntriesAt, Queue0At, Queue1At uint64
	Capacity, Length                      uint64 // words that each queue holds, and words in queue 0 at the start
	Pace, Split, Burst, Flags             uint64 // see the registers of cygraph_regs.sv

	// The memory: see Memory.
	Channels, Service                           uint64
	FastMin, FastMax, SlowMin, SlowMax, Slow256 uint64
	Stall1024, Seed                             uint64
	// Chaos, if not zero, is the seed of a memory that does whatever AXI allows.
	Chaos uint64

	MaxCycles uint64 // a search that takes longer is an error
}

// A simResult is what a simulated search did.
type simResult struct {
	Levels   []simLevel
	Cycles   uint64 // value of the design's cycle register
	Overflow bool
	Failed   bool // a memory access was answered with an error
}

// A simLevel is the duration of one level in cycles, and the number of words that it left
// in the next queue.
type simLevel struct {
	Cycles, Next uint64
}

// run simulates a search. The memory is changed as the search changes it.
func (s *simulator) run(ctx context.Context, job simJob, memory []uint64) (simResult, error) {
	f, err := os.CreateTemp("", "cygraph")
	if err != nil {
		return simResult{}, fmt.Errorf("cygraph: %w", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	for _, part := range []any{uint64(len(memory)), job, memory} {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return simResult{}, fmt.Errorf("cygraph: memory image: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return simResult{}, fmt.Errorf("cygraph: memory image: %w", err)
	}
	result, err := s.simulate(ctx, f.Name())
	if err != nil {
		return simResult{}, err
	}
	if _, err := f.Seek(int64(8+binary.Size(job)), io.SeekStart); err != nil {
		return simResult{}, fmt.Errorf("cygraph: memory image: %w", err)
	}
	if err := binary.Read(bufio.NewReaderSize(f, 1<<20), binary.LittleEndian, memory); err != nil {
		return simResult{}, fmt.Errorf("cygraph: memory image: %w", err)
	}
	return result, nil
}

func (s *simulator) simulate(ctx context.Context, image string) (simResult, error) {
	cmd := exec.CommandContext(ctx, s.program, image)
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	if err := cmd.Run(); err != nil {
		return simResult{}, fmt.Errorf("cygraph: simulation: %w: %s%s", err, trouble.Bytes(), out.Bytes()[max(0, out.Len()-400):])
	}
	return parse(&out)
}

// parse reads what the simulation prints.
func parse(r io.Reader) (result simResult, err error) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var a, b uint64
		if n, _ := fmt.Sscanf(lines.Text(), "level %d %d", &a, &b); n == 2 {
			result.Levels = append(result.Levels, simLevel{Cycles: a, Next: b})
		}
		if n, _ := fmt.Sscanf(lines.Text(), "done %d %d", &a, &b); n == 2 {
			result.Cycles, result.Overflow, result.Failed = a, b&2 != 0, b&4 != 0
			return result, nil
		}
	}
	return result, errors.New("cygraph: the simulation ended without a result")
}
