package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A bareMachine is a PATH with little on it, on which scripts/setup is tried.
type bareMachine struct {
	t        *testing.T
	bin, log string
}

func newBareMachine(t *testing.T) bareMachine {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("scripts/setup is for Linux")
	}
	m := bareMachine{t, t.TempDir(), filepath.Join(t.TempDir(), "apt.log")}
	for _, name := range []string{"bash", "dirname", "env", "go", "realpath", "true", "touch", "chmod", "wc"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip("not on this machine: ", err)
		}
		if err := os.Symlink(path, filepath.Join(m.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	m.script("sudo", `[ "$1" = -n ] && shift; exec "$@"`)
	return m
}

func (m bareMachine) script(name, body string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.bin, name), []byte("#!"+m.bin+"/bash\n"+body+"\n"), 0o755); err != nil {
		m.t.Fatal(err)
	}
}

// apt puts an apt-get on the machine that logs its verbs and succeeds or fails
// as the body says. $verb is what was asked for, $tries how many verbs so far.
func (m bareMachine) apt(body string) {
	m.t.Helper()
	m.script("apt-get", `
		verb=update; case " $* " in *" install "*" drill "*) verb=install;; esac
		echo $verb >>`+m.log+`
		tries=$(wc -l <`+m.log+`)
		arrive() { touch `+m.bin+`/drill; chmod +x `+m.bin+`/drill; }
		`+body)
}

// setup runs the script with one need: the package drill, which brings a
// command of that name.
func (m bareMachine) setup() (output string, verbs string, err error) {
	m.t.Helper()
	needs := filepath.Join(m.t.TempDir(), "needs")
	if err := os.WriteFile(needs, []byte("# comment\n\ndrill drill-dev : boring : command -v drill\n"), 0o644); err != nil {
		m.t.Fatal(err)
	}
	const script = "../../../scripts/setup"
	if _, err := os.ReadFile(script); err != nil { // which tells the test cache about it
		m.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(m.bin, "bash"), script, needs)
	cmd.Env = append(os.Environ(), "PATH="+m.bin)
	out, err := cmd.CombinedOutput()
	log, _ := os.ReadFile(m.log)
	return string(out), strings.Join(strings.Fields(string(log)), " "), err
}

const pleaseInstall = "sudo apt-get update && sudo apt-get install -y drill drill-dev"

func TestSetup(t *testing.T) {
	tests := []struct {
		name, apt string
		verbs     string // what apt-get must have been asked for
		fails     bool
	}{
		{"first try", "arrive", "install", false},
		{"lists absent", "[ $tries = 1 ] && exit 100; [ $verb = install ] && arrive; exit 0", "install update install", false},
		{"no network", "exit 100", "install update", true},
		{"package does not bring the command", "exit 0", "install", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newBareMachine(t)
			m.apt(tt.apt)
			out, verbs, err := m.setup()
			if (err != nil) != tt.fails {
				t.Errorf("ended with %v, want failure %v", err, tt.fails)
			}
			if verbs != tt.verbs {
				t.Errorf("apt-get was asked for %q, want %q", verbs, tt.verbs)
			}
			if !strings.Contains(out, "missing for boring: drill drill-dev") {
				t.Error("does not say what is missing and what for")
			}
			if strings.Contains(out, pleaseInstall) != tt.fails {
				t.Errorf("tells the user to install: want %v", tt.fails)
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

func TestSetupNothingMissing(t *testing.T) {
	m := newBareMachine(t)
	m.apt("exit 1")
	m.script("drill", "")
	if out, verbs, err := m.setup(); err != nil || out != "" || verbs != "" {
		t.Errorf("got %q, apt-get asked for %q, %v; want silence", out, verbs, err)
	}
}

func TestSetupWithoutApt(t *testing.T) {
	m := newBareMachine(t)
	if out, _, err := m.setup(); err == nil || !strings.Contains(out, pleaseInstall) {
		t.Errorf("got %q, %v; want a failure that says what to install", out, err)
	}
}

func TestSetupWithoutGo(t *testing.T) {
	m := newBareMachine(t)
	if err := os.Remove(filepath.Join(m.bin, "go")); err != nil {
		t.Fatal(err)
	}
	if out, _, err := m.setup(); err == nil || !strings.Contains(out, "https://go.dev/doc/install") {
		t.Errorf("got %q, %v; want a failure that says where Go is", out, err)
	}
}

func TestNeedsAreWellFormed(t *testing.T) {
	b, err := os.ReadFile("../../../scripts/needs")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		part := strings.SplitN(line, ":", 3)
		if len(part) != 3 || strings.TrimSpace(part[0]) == "" || strings.TrimSpace(part[1]) == "" || strings.TrimSpace(part[2]) == "" {
			t.Errorf("%q is not packages : purpose : check", line)
		}
	}
}
