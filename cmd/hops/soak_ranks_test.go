//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohops/hops/internal/device/mpi/mpitest"
)

// soakRanks runs the benchmark on ranks. It kills a rank or the launcher, stops a rank for
// good, or stops one or the launcher for a while. After a kill or a stop everything ends, with an
// error that names the victim, and what was finished can be continued. A process that was
// stopped for a while is not missed.
func soakRanks(t *testing.T, r *rand.Rand, c counts) {
	launchers := slices.DeleteFunc(mpitest.Launchers(t), func(l mpitest.Launcher) bool { return *soakMPI != "" && l.Name != *soakMPI })
	l := pick(r, launchers...)
	engine := pick(r, killedEngines...)
	launcher := chance(r, 5)
	fault := pick(r, "kill", "kill", "kill", "pause", "stop")
	// The fault strikes at some part of the time that an undisturbed run of few searches
	// takes under this launcher (on an OpenCL device it would take minutes), or of four times as
	// long if there are more searches. A run that ended before its fault tells that this time is shorter
	// by now, and the next is struck at half of the part. A run that is paused, several times, ends
	// in some seconds; others have more searches than anybody waits for.
	part, rest := r.Float64(), fault == "kill" && chance(r, 4)
	lasts := l.Name + ": ms of a run"
	if c[lasts] == 0 {
		c[lasts] = startJob(t, l, "cluster", fewSearches).undisturbed()
	}
	for struck := false; !struck; {
		delay := time.Duration(part * float64(c[lasts]) * float64(time.Millisecond))
		searches := 4096
		if rest {
			searches = fewSearches
		} else {
			delay *= 4
		}
		if fault == "pause" {
			searches = 256
		}
		j := startJob(t, l, engine, searches)
		switch fault {
		case "kill":
			struck = j.killAfter(delay, launcher)
		case "stop":
			j.stop(r, delay)
			struck, launcher = true, false
		case "pause":
			struck = j.pause(r, delay, launcher, c)
		}
		if !struck {
			c["ended before the fault"]++
			c[lasts] = (c[lasts] + min(c[lasts], j.lasted()) + 1) / 2
			part /= 2
			continue
		}
		j.over(launcher, rest, fault, c)
	}
}

// undisturbed waits for the end of a run and returns how long it lasted.
func (j *job) undisturbed() int64 {
	j.awaitRanks()
	j.mustBeWhole(<-j.ended)
	return j.lasted()
}

// lasted is how long a run that has ended lasted after all ranks were there, in milliseconds.
func (j *job) lasted() int64 { return max(1, j.finished.Sub(j.there).Milliseconds()) }

// over checks that all ends after a fault, and that the run can be continued, or the rest
// of it if that is wanted.
func (j *job) over(launcher, rest bool, fault string, c counts) {
	j.t.Helper()
	if fault != "pause" {
		j.mustEnd()
		c.most("longest until all was over after a "+fault+", ms", time.Since(j.killed))
	}
	if j.deserted {
		c["launchers that lived on without ranks"]++
	}
	j.count(fault, launcher, c)
	j.mustContinue(rest)
}

// stop stops a rank for good, some time after the first search.
func (j *job) stop(r *rand.Rand, delay time.Duration) {
	j.t.Helper()
	j.awaitSearch()
	time.Sleep(delay)
	pid := pick(r, j.ranks()...)
	j.victim, j.killed = rankOf(pid), time.Now()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		j.t.Fatal(err)
	}
}

// mostPauses is how often a run is paused at most.
const mostPauses = 6

// pause stops a process for less than the ranks wait for each other, lets it go on, and so on with
// others: the run finishes as if nothing had been. It counts the pauses but the last, and reports false
// if the run was over before the first.
func (j *job) pause(r *rand.Rand, delay time.Duration, launcher bool, c counts) bool {
	pids := j.awaitRanks()
	for done := 0; ; done++ {
		select {
		case err := <-j.ended:
			j.mustBeWhole(err)
			return done > 0
		case <-time.After(delay):
		}
		pid := pick(r, pids...)
		if launcher {
			pid = j.cmd.Process.Pid
		}
		if done == mostPauses || syscall.Kill(pid, syscall.SIGSTOP) != nil {
			j.mustBeWhole(j.awaitProgress())
			return done > 0
		}
		if done > 0 {
			j.count("pause", launcher, c)
		}
		time.Sleep(time.Duration(r.Float64() * r.Float64() * float64(2*time.Second))) // short ones more often
		_ = syscall.Kill(pid, syscall.SIGCONT)
		delay = time.Duration(r.Int64N(int64(500 * time.Millisecond)))
	}
}

// count counts a fault.
func (j *job) count(fault string, launcher bool, c counts) {
	c[j.launcher.Name+": "+fault+"s"]++
	if launcher {
		c["of them of launchers"]++
	}
}

// awaitProgress waits for the end of a run that goes on: a busy machine may make every search slow,
// but each of them ends. Of a run that stands still, all ranks print what they wait for.
func (j *job) awaitProgress() error {
	j.t.Helper()
	moved, seen := time.Now(), int64(-1)
	for {
		select {
		case err := <-j.ended:
			return err
		case <-time.After(100 * time.Millisecond):
		}
		if info, err := os.Stat(j.file); err == nil && info.Size() != seen {
			moved, seen = time.Now(), info.Size()
		}
		if time.Since(moved) > hangs {
			for _, pid := range j.ranks() {
				_ = syscall.Kill(pid, syscall.SIGQUIT)
			}
			<-j.ended
			j.t.Fatalf("no search ended for %v after a pause:\n%s", hangs, &j.out)
		}
	}
}

// awaitRanks waits until all ranks are there.
func (j *job) awaitRanks() (pids []int) {
	for start := time.Now(); len(pids) < 3 && len(j.ended) == 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > endsWithin {
			j.t.Fatalf("no ranks after %v:\n%s", endsWithin, &j.out)
		}
		pids = j.ranks()
	}
	j.there = time.Now()
	if len(pids) == 0 {
		pids = []int{-os.Getpid()} // of nobody
	}
	return pids
}

// mustBeWhole checks that a run has finished with a score.
func (j *job) mustBeWhole(err error) {
	j.t.Helper()
	if err != nil || !strings.Contains(j.out.String(), "Score: ") {
		j.t.Fatalf("ended by %v:\n%s", err, &j.out)
	}
	j.mustContinue(false)
}
