package launch

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The watchdog names who left first without goodbye, but not one that crashed when
// another was gone already.
func TestWatchdogNamesTheFirst(t *testing.T) {
	const crash = "SIGABRT: abort\nPC=0x1\n"
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	alive, dead := os.Getpid(), gone.Process.Pid
	type leaving struct {
		rank  int
		words string
	}
	for name, x := range map[string]struct {
		pids  [3]int
		order []leaving
		want  string
	}{
		"killed":    {[3]int{alive, alive, alive}, []leaving{{2, ""}, {0, ""}, {1, ""}}, "rank 2 failed"},
		"all dead":  {[3]int{dead, dead, dead}, []leaving{{2, ""}, {0, ""}, {1, ""}}, "rank 2 failed"},
		"aborted":   {[3]int{dead, alive, alive}, []leaving{{2, strings.Repeat(crash, 9)}, {0, ""}, {1, ""}}, "rank 0 failed"},
		"crashed":   {[3]int{alive, alive, alive}, []leaving{{1, crash}, {0, "bye\n"}, {2, "bye\n"}}, "rank 1 failed"},
		"well":      {[3]int{alive, alive, alive}, []leaving{{1, "bye\n"}, {0, "bye\n"}, {2, "bye\n"}}, ""},
		"after one": {[3]int{alive, dead, alive}, []leaving{{1, "bye\n"}, {0, ""}, {2, "bye\n"}}, "rank 0 failed"},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := newWatchdog(3)
			if err != nil {
				t.Fatal(err)
			}
			defer unix.Close(h.epoll)
			here, _ := os.Hostname()
			ends := make([]*os.File, 3)
			for r := range ends {
				pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
				if err != nil {
					t.Fatal(err)
				}
				ends[r] = os.NewFile(uintptr(pair[0]), "rank")
				if err := h.add(&watched{who: hello{Rank: r, PID: x.pids[r], Host: here}, file: os.NewFile(uintptr(pair[1]), "watchdog")}); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range x.order {
				if _, err := ends[l.rank].WriteString(l.words); err != nil {
					t.Fatal(err)
				}
				ends[l.rank].Close()
			}
			var out bytes.Buffer
			if err := h.wait(&out); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); !strings.Contains(got, x.want) || strings.Count(got, "failed") > 1 || (x.want == "") != (got == "") {
				t.Errorf("said %q, want %q", got, x.want)
			}
		})
	}
}
