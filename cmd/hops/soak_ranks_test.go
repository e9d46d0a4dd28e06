package main

import (
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohops/hops/internal/mpi/mpitest"
)

// soakRanks runs the benchmark on ranks. It kills a rank or the launcher, stops a rank for
// good, or stops one or the launcher for a while. After a kill or a stop everything ends, with an
// error that names the victim, and what was finished can be continued. A process that was
// stopped for a while is not missed.
func soakRanks(t *testing.T, r *rand.Rand, c counts) {
	l := pick(r, mpitest.Launchers(t)...)
	engine := pick(r, killedEngines...)
	delay := time.Duration(r.Int64N(int64(pick(r, 4*time.Second, time.Second))))
	launcher := chance(r, 5)
	switch fault := pick(r, "kill", "kill", "kill", "pause", "stop"); fault {
	case "kill":
		j := startJob(t, l, engine)
		for !j.killAfter(delay, launcher) {
			c["ended before the fault"]++
			delay /= 2
			j = startJob(t, l, engine)
		}
		j.over(r, launcher, fault, c)
	case "stop":
		j := startJobOf(t, l, engine, 4096)
		j.stop(r, delay/4)
		j.over(r, false, fault, c)
	case "pause":
		startJob(t, l, engine).pause(r, delay, launcher, c)
	}
}

// over checks that all ends after a fault, and that the run can be continued.
func (j *job) over(r *rand.Rand, launcher bool, fault string, c counts) {
	j.t.Helper()
	j.mustEnd()
	c.most("longest until all was over after a "+fault+", ms", time.Since(j.killed))
	c[j.launcher.Name+": "+fault+"s"]++
	if launcher {
		c["of them of launchers"]++
	}
	j.mustContinue(fault == "kill" && chance(r, 4))
}

// stop stops a rank for good, some time after the first search.
func (j *job) stop(r *rand.Rand, delay time.Duration) {
	j.t.Helper()
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(j.file); err == nil {
			break
		}
		if time.Since(start) > time.Minute {
			j.t.Fatalf("no search after a minute:\n%s", &j.out)
		}
	}
	time.Sleep(delay)
	pid := pick(r, j.ranks()...)
	j.victim, j.killed = rankOf(pid), time.Now()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		j.t.Fatal(err)
	}
}

// pause stops a process for less than the ranks wait for each other, and lets it go on:
// the run finishes as if nothing had been.
func (j *job) pause(r *rand.Rand, delay time.Duration, launcher bool, c counts) {
	pids := j.awaitRanks()
	select {
	case err := <-j.ended:
		j.mustBeWhole(err)
		c["ended before the fault"]++
		return
	case <-time.After(delay):
	}
	pid := pick(r, pids...)
	if launcher {
		pid = j.cmd.Process.Pid
	}
	if syscall.Kill(pid, syscall.SIGSTOP) == nil {
		time.Sleep(time.Duration(r.Int64N(int64(2 * time.Second))))
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	select {
	case err := <-j.ended:
		j.mustBeWhole(err)
	case <-time.After(hangs):
		_ = j.cmd.Process.Kill()
		j.t.Fatalf("lives %v after a pause:\n%s", hangs, &j.out)
	}
	c[j.launcher.Name+": pauses"]++
}

// awaitRanks waits until all ranks are there.
func (j *job) awaitRanks() (pids []int) {
	for start := time.Now(); len(pids) < 3 && len(j.ended) == 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			j.t.Fatalf("no ranks after a minute:\n%s", &j.out)
		}
		pids = j.ranks()
	}
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
