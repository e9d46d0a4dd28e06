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

// soakRanks runs the benchmark on ranks and kills, or stops for a while, a rank or the
// launcher. After a kill everything ends, with an error that names the victim, and what was
// finished can be continued. A rank that was stopped for a while is not missed.
func soakRanks(t *testing.T, r *rand.Rand, c counts) {
	l := pick(r, mpitest.Launchers(t)...)
	engine := pick(r, killedEngines...)
	launcher, pause := chance(r, 5), chance(r, 3)
	j := startJob(t, l, engine)
	delay := time.Duration(r.Int64N(int64(pick(r, 4*time.Second, time.Second))))
	if pause {
		j.pause(r, delay, launcher, c)
		return
	}
	for !j.killAfter(delay, launcher) {
		c["ended before the fault"]++
		delay /= 2
		j = startJob(t, l, engine)
	}
	j.mustEnd()
	c[l.Name+": kills"]++
	if launcher {
		c["of them of launchers"]++
	}
	c.most("longest until all was over, ms", time.Since(j.killed))
	j.mustContinue(chance(r, 4))
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
