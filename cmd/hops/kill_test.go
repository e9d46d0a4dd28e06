//go:build unix

package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/device/mpi/mpitest"
	"github.com/gohops/hops/report"
)

var kills = flag.Int("kills", 4, "runs that TestRanksAreKilled ends by a kill")

// killedEngines are the engines whose ranks are killed, in turn: a rank may be missed
// in any exchange.
var killedEngines = []string{
	"cluster",
	"cluster:exchange=messages",
	"grid:shape=1x3,device=gpu",
	"cluster:exchange=allgather,gather=per-rank",
	"cluster:exchange=probe",
	"grid:predecessors=level",
	"cluster:exchange=allgather",
	"cluster:labels=wide",
	"grid:labels=wide",
	"grid:shape=1x3",
	"cluster:exchange=probe,labels=wide",
}

// fewSearches are those of a run that is continued to its end.
const fewSearches = 12

// endsWithin is how soon all is over after a kill. Seconds are promised; a test
// only tells that from never, because its machine may do a lot besides.
const endsWithin = 3 * time.Minute

// Whenever a rank or the launcher is killed, all processes end soon, with an
// error that names the rank, and what was finished can be continued from.
func TestRanksAreKilled(t *testing.T) {
	launchers := mpitest.Launchers(t)
	for i := range *kills {
		l := launchers[i%len(launchers)]
		engine := killedEngines[i%len(killedEngines)]
		t.Run(fmt.Sprintf("%d-%s-%s", i, l.Name, engine), func(t *testing.T) {
			rest, searches := i < len(launchers), 4096
			if rest {
				searches = fewSearches
			}
			j := startJob(t, l, engine, searches)
			// Runs take some seconds here; a kill after the end is another run.
			for delay := 4 * time.Second; !j.killAfter(time.Duration(rand.Int64N(int64(delay))), i%5 == 4); delay /= 2 {
				j = startJob(t, l, engine, searches)
			}
			j.mustEnd()
			j.mustContinue(rest)
		})
	}
}

// A rank that is stopped after all have joined is missed too, by name, and the run can
// be continued.
func TestRanksAreStopped(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		t.Run(l.Name, func(t *testing.T) {
			j := startJob(t, l, "cluster", 128)
			j.awaitSearch()
			pid := j.ranks()[1]
			j.victim, j.killed = rankOf(pid), time.Now()
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			j.mustEnd()
			if !strings.Contains(j.out.String(), "has not answered for ") {
				t.Errorf("nobody has noticed a stopped rank:\n%s", &j.out)
			}
			j.mustContinue(true)
		})
	}
}

// A rank that is asked to end before it knows the others ends all of them.
func TestSignalsWhileJoining(t *testing.T) {
	for _, l := range mpitest.Launchers(t) {
		for i := range 6 {
			signal := []string{"INT", "TERM"}[i%2]
			t.Run(fmt.Sprintf("%s-%s-%d", l.Name, signal, i), func(t *testing.T) {
				// The other ranks wait in MPI_Init for the one that a signal ends: before
				// it listens to signals, before MPI_Init, or within.
				script := fmt.Sprintf(`case "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" in 1) (sleep %.3f; kill -%s $$) & esac; exec "$@"`, 0.004*float64(i+1), signal)
				j := newJob(t, l, "cluster", 4096)
				j.start(append([]string{"bash", "-c", script, "rank"}, j.args()...)...)
				if ended, err := j.awaitLauncher(); ended && err == nil {
					t.Errorf("ended with success:\n%s", &j.out)
				}
				j.awaitProcesses()
			})
		}
	}
}

// A job is a run of the benchmark on ranks.
type job struct {
	t        *testing.T
	launcher mpitest.Launcher
	engine   string
	searches int
	hops     string // the program
	exe      string // which may be a link to this
	file     string // for its result; its name is that of no other file
	cmd      *exec.Cmd
	out      bytes.Buffer
	ended    chan error
	there    time.Time // all ranks were seen
	finished time.Time // the launcher ended; of use once ended has been received from
	killed   time.Time
	victim   string // as the message must name it
	deserted bool   // the launcher lived on without ranks
}

// startJob starts a run of three ranks.
func startJob(t *testing.T, l mpitest.Launcher, engine string, searches int) *job {
	t.Helper()
	j := newJob(t, l, engine, searches)
	j.start(j.args()...)
	return j
}

func newJob(t *testing.T, l mpitest.Launcher, engine string, searches int) *job {
	t.Helper()
	j := &job{t: t, launcher: l, engine: engine, searches: searches, file: filepath.Join(t.TempDir(), "result.json"), ended: make(chan error, 1)}
	var err error
	if j.hops, err = exec.LookPath("hops"); err != nil {
		t.Fatal(err)
	}
	if j.exe, err = filepath.EvalSymlinks(j.hops); err != nil {
		t.Fatal(err)
	}
	return j
}

// start starts three ranks of a program.
func (j *job) start(args ...string) {
	j.t.Helper()
	j.killed = time.Now()
	j.cmd = j.launcher.Command(3, args...)
	j.cmd.Stdout, j.cmd.Stderr = &j.out, &j.out
	j.cmd.WaitDelay = time.Minute // for ranks that outlive their launcher
	if err := j.cmd.Start(); err != nil {
		j.t.Fatal(err)
	}
	go func() {
		err := j.cmd.Wait()
		j.finished = time.Now()
		j.ended <- err
	}()
}

func (j *job) args() []string {
	return []string{j.hops, "graph500", "--scale", "13", "--roots", strconv.Itoa(j.searches), "--engine", j.engine, "--resume", j.file}
}

// again runs the job another time and returns what it prints. Of a run that stands still, all ranks
// print what they wait for.
func (j *job) again(ranks int) ([]byte, error) {
	stuck := time.AfterFunc(endsWithin, func() {
		for _, pid := range j.ranks() {
			_ = syscall.Kill(pid, syscall.SIGQUIT)
		}
	})
	defer stuck.Stop()
	return j.launcher.Command(ranks, j.args()...).CombinedOutput()
}

// awaitSearch returns when the first search is finished.
func (j *job) awaitSearch() {
	j.t.Helper()
	finished := func() bool { _, err := os.Stat(j.file); return err == nil }
	for start := time.Now(); !finished(); time.Sleep(time.Millisecond) {
		if time.Since(start) > endsWithin || len(j.ended) > 0 {
			j.t.Fatalf("no search after %v:\n%s", time.Since(start), &j.out)
		}
	}
}

// ranks are the processes that compute.
func (j *job) ranks() []int {
	return j.find(func(args []string) bool { return slices.Contains(args, j.file) })
}

// processes are all that belong to the job but the launcher's: the ranks, and
// watchdogs, of which no other job has one while this test runs.
func (j *job) processes() []int {
	return append(j.ranks(), j.find(func(args []string) bool { return len(args) > 1 && args[1] == watchdogVerb })...)
}

// find lists the processes of the job's program whose arguments fit.
func (j *job) find(fits func(args []string) bool) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		exe, _ := os.Readlink(filepath.Join(filepath.Dir(f), "exe"))
		if exe == j.exe && fits(strings.Split(string(text), "\x00")) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// killAfter kills a rank, or the launcher, some time after all ranks are there.
// It reports false if the run was over by then.
func (j *job) killAfter(delay time.Duration, launcher bool) bool {
	var pids []int
	for start := time.Now(); len(pids) < 3; time.Sleep(time.Millisecond) {
		if time.Since(start) > endsWithin {
			j.t.Fatalf("no ranks after %v:\n%s", endsWithin, &j.out)
		}
		if len(j.ended) > 0 { // before anybody saw all ranks at once
			j.mustHaveSucceeded(<-j.ended)
			return false
		}
		pids = j.ranks()
	}
	j.there = time.Now()
	time.Sleep(delay)
	pid := pids[rand.IntN(len(pids))]
	j.victim = rankOf(pid)
	if launcher {
		pid, j.victim = j.cmd.Process.Pid, "launcher"
	}
	if j.victim == "" || syscall.Kill(pid, syscall.SIGKILL) != nil {
		j.mustHaveSucceeded(<-j.ended)
		return false
	}
	if len(j.processes()) == 0 {
		<-j.ended
		return false
	}
	j.killed = time.Now()
	return true
}

// mustHaveSucceeded fails the test if a run that nobody has disturbed ended by an error: a second
// try would end as this one did.
func (j *job) mustHaveSucceeded(err error) {
	j.t.Helper()
	if err != nil {
		j.t.Fatalf("ended before anything was done to it: %v\n%s", err, &j.out)
	}
}

// rankOf is the rank of a process by what its launcher told it.
func rankOf(pid int) string {
	environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	for _, v := range strings.Split(string(environ), "\x00") {
		for _, name := range []string{"OMPI_COMM_WORLD_RANK=", "PMI_RANK="} {
			if value, ok := strings.CutPrefix(v, name); ok {
				return value + " " + strconv.Itoa(pid)
			}
		}
	}
	return ""
}

// aloneFor is how long a launcher may live after the last rank. Open MPI 5 may stay for
// ever after a rank was killed in MPI_Init ("PMIX ERROR: UNREACHABLE"); no rank is left
// then that could end it.
const aloneFor = 30 * time.Second

// awaitLauncher waits for the end of the launcher and returns its error. It ends one that
// lives on without ranks. It fails the test and returns false if ranks live too long.
func (j *job) awaitLauncher() (ended bool, err error) {
	j.t.Helper()
	for seen := time.Now(); ; {
		select {
		case err := <-j.ended:
			return true, err
		case <-time.After(20 * time.Millisecond):
		}
		if len(j.processes()) > 0 {
			seen = time.Now()
		}
		j.deserted = time.Since(seen) > aloneFor
		late := time.Since(j.killed) > endsWithin
		if j.deserted || late {
			_ = j.cmd.Process.Kill()
			err := <-j.ended
			if j.deserted {
				j.t.Logf("the launcher lived on without ranks:\n%s", &j.out)
				return true, err
			}
			j.t.Errorf("ranks and launcher live %v after the kill of %s:\n%s", endsWithin, j.victim, &j.out)
			return false, err
		}
	}
}

// awaitProcesses waits until no rank and no watchdog lives, and ends those that live too long.
func (j *job) awaitProcesses() {
	j.t.Helper()
	for ; len(j.processes()) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Since(j.killed) > endsWithin {
			j.t.Errorf("processes %v live %v after the kill of %s:\n%s", j.processes(), endsWithin, j.victim, &j.out)
			for _, pid := range j.processes() {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			return
		}
	}
}

// mustEnd fails the test if anything lives too long, or ends without a word.
func (j *job) mustEnd() {
	j.t.Helper()
	ended, err := j.awaitLauncher()
	if !ended {
		return
	}
	j.awaitProcesses()
	took := time.Since(j.killed)
	if strings.Contains(j.out.String(), "Score: ") {
		return // the work was done: whoever dies then is not missed
	}
	if err == nil {
		j.t.Errorf("exits with 0 after the kill of %s:\n%s", j.victim, &j.out)
	}
	j.t.Logf("%s killed: over after %v; %s", j.victim, took.Round(time.Millisecond), j.mustName())
}

// mustName checks that the messages name the victim, and tells which one does.
func (j *job) mustName() string {
	rank, pid, _ := strings.Cut(j.victim, " ")
	for _, message := range []string{
		"hops: rank " + rank + " failed: process " + pid,                  // ours
		"process rank " + rank + " with PID ",                             // mpirun's, before the ranks know each other
		"its launcher, process " + strconv.Itoa(j.cmd.Process.Pid) + ", ", // if that was the victim
	} {
		if strings.Contains(j.out.String(), message) {
			return message
		}
	}
	// Before the ranks have found each other only the launcher can know. Hydra may mistake
	// one that it killed itself for the first, or stumble over the closed connection, mpirun
	// may tell of nobody but those that it ended itself, and the library of another rank may
	// miss the memory of the one that is gone.
	if lonely := !strings.Contains(j.out.String(), "mpi  "); lonely {
		for _, message := range []string{"BAD TERMINATION", "error sending PMI response", "PMIX ERROR", "the job has been aborted", "UCX  ERROR"} {
			if strings.Contains(j.out.String(), message) {
				return message + ", before the ranks knew each other"
			}
		}
	}
	if j.victim != "launcher" { // whose pipes are gone with it
		j.t.Errorf("nobody names %s:\n%s", j.victim, &j.out)
	}
	return "no message"
}

// mustContinue reads what was saved and, if the rest is wanted, runs it.
func (j *job) mustContinue(rest bool) {
	j.t.Helper()
	earlier := &graph500.Result{}
	if _, err := os.Stat(j.file); err == nil {
		if earlier, err = report.ReadFile(j.file); err != nil {
			j.t.Fatal(err)
		}
	}
	j.t.Logf("%d searches were finished", len(earlier.Searches))
	if !rest {
		return
	}
	if len(earlier.Searches) > 0 && len(earlier.Searches) < j.searches && !strings.HasPrefix(j.engine, "grid") {
		out, err := j.again(2)
		if err == nil || !strings.Contains(string(out), "another number of ranks") {
			j.t.Fatalf("a run of three ranks was continued by two: %v\n%s", err, out)
		}
	}
	if out, err := j.again(3); err != nil {
		j.t.Fatalf("--resume: %v\n%s", err, out)
	}
	whole, err := report.ReadFile(j.file)
	if err != nil {
		j.t.Fatal(err)
	}
	cut := len(earlier.Searches) < j.searches // a whole run stays as it was
	if len(whole.Searches) != j.searches || cut && whole.Earlier != len(earlier.Searches) {
		j.t.Fatalf("%d searches, %d of them earlier, want %d", len(whole.Searches), whole.Earlier, len(earlier.Searches))
	}
	for i, s := range earlier.Searches {
		if s.Root != whole.Searches[i].Root || s.Time != whole.Searches[i].Time {
			j.t.Errorf("search %d has changed", i)
		}
	}
}
