package hdl

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

// A Job is one search to simulate. Addresses count words of 64 bits.
type Job struct {
	RowsAt, EntriesAt, Queue0At, Queue1At uint64
	Capacity, Length                      uint64 // words that each queue holds, and words in queue 0 at the start
	Pace, Split, Burst, Flags             uint64 // see the registers of cygraph_regs.sv

	// The memory: see Memory in package engine/cygraph.
	Channels, Service                           uint64
	FastMin, FastMax, SlowMin, SlowMax, Slow256 uint64
	Stall1024, Seed                             uint64
	// Chaos, if not zero, is the seed of a memory that does whatever AXI allows.
	Chaos uint64

	MaxCycles uint64 // a search that takes longer is an error
}

// A Result is what a simulated search did.
type Result struct {
	Levels   []Level
	Cycles   uint64 // value of the design's cycle register
	Overflow bool
	Failed   bool // a memory access was answered with an error
}

// A Level is the duration of one level in cycles, and the number of words that it left
// in the next queue.
type Level struct {
	Cycles, Next uint64
}

// Run simulates a search. The memory is changed as the search changes it.
func (s *Simulator) Run(ctx context.Context, job Job, memory []uint64) (Result, error) {
	f, err := os.CreateTemp("", "cygraph")
	if err != nil {
		return Result{}, fmt.Errorf("hdl: %w", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	for _, part := range []any{uint64(len(memory)), job, memory} {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return Result{}, fmt.Errorf("hdl: memory image: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return Result{}, fmt.Errorf("hdl: memory image: %w", err)
	}
	result, err := s.simulate(ctx, f.Name())
	if err != nil {
		return Result{}, err
	}
	if _, err := f.Seek(int64(8+binary.Size(job)), io.SeekStart); err != nil {
		return Result{}, fmt.Errorf("hdl: memory image: %w", err)
	}
	if err := binary.Read(bufio.NewReaderSize(f, 1<<20), binary.LittleEndian, memory); err != nil {
		return Result{}, fmt.Errorf("hdl: memory image: %w", err)
	}
	return result, nil
}

func (s *Simulator) simulate(ctx context.Context, image string) (Result, error) {
	cmd := exec.CommandContext(ctx, s.program, image)
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	if err := cmd.Run(); err != nil {
		return Result{}, fmt.Errorf("hdl: simulation: %w: %s%s", err, trouble.Bytes(), tail(out.Bytes()))
	}
	return parse(&out)
}

// tail returns the last 400 bytes of an output.
func tail(b []byte) []byte { return b[max(0, len(b)-400):] }

// parse reads what the simulation prints.
func parse(r io.Reader) (result Result, err error) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var a, b uint64
		if n, _ := fmt.Sscanf(lines.Text(), "level %d %d", &a, &b); n == 2 {
			result.Levels = append(result.Levels, Level{Cycles: a, Next: b})
		}
		if n, _ := fmt.Sscanf(lines.Text(), "done %d %d", &a, &b); n == 2 {
			result.Cycles, result.Overflow, result.Failed = a, b&2 != 0, b&4 != 0
			return result, nil
		}
	}
	return result, errors.New("hdl: the simulation ended without a result")
}
