package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gohops/hops/internal/base/topo"

	"github.com/gohops/hops/internal/base/atomicfile"
	"github.com/gohops/hops/level"
)

// version is the version of the file and of the meaning of its numbers. It changes with
// the names of steps, the terms of Cost and the work that engines estimate.
const version = 6

// A Calibration is what was learned, from what, and how good it is.
type Calibration struct {
	Version  int           `json:"version"`
	Engine   string        `json:"engine"`
	Hardware Hardware      `json:"machine"`
	Learned  time.Time     `json:"learned"`
	Took     time.Duration `json:"took_ns"`

	DeviceModel
	// GivenUp says that the device is so slow that searches stay on the host.
	GivenUp bool `json:"device_given_up,omitempty"`
	// Alpha is the share of the remaining row entries that bottom-up levels look
	// at, where these are the best choice: what Zhang et al. assume.
	Alpha float64 `json:"alpha"`
	// Speeds is the model of Zhang et al.; nil if there was nothing to learn it from. Where
	// the device was given up it is that of the host.
	Speeds    *Speeds        `json:"speeds,omitempty"`
	Regrets   Regrets        `json:"regret"` // mean over all graphs
	Graphs    []TrainedGraph `json:"graphs"`
	Agreement []Agreement    `json:"fit"`
}

// Regrets is the time lost against the best steps in hindsight, in percent of
// theirs, on searches that the model was not learned from.
type Regrets struct {
	Without float64 `json:"without_percent"` // with the engine's policy that knows no machine
	With    float64 `json:"with_percent"`    // with the model
}

// A TrainedGraph is one that was learned from.
type TrainedGraph struct {
	Name    string  `json:"name"`
	Levels  int     `json:"levels"` // explored, those held out included
	Regrets Regrets `json:"regret"`
}

var (
	// ErrNone is why there is no calibration where none was ever made.
	ErrNone = errors.New("not calibrated")
	// ErrElsewhere is why one is not used that was made before the hardware
	// changed.
	ErrElsewhere = errors.New("made on another machine")
	// ErrVersion is why one is not used whose numbers mean something else.
	ErrVersion = errors.New("this program's is another")
)

// Dir is the folder of hops in the user's configuration.
func Dir() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("learn: no folder for it: %w", err)
	}
	return filepath.Join(dir, "hops"), nil
}

// Path is the file below dir for an engine with this number of threads.
func Path(dir, engine string, threads int) string {
	return filepath.Join(dir, fmt.Sprintf("calibration-%s-%d.json", engine, threads))
}

// Load returns the calibration of an engine with these steps, if there is one
// that was learned here and helps. The error is the reason why not.
func Load(dir, engine string, here Hardware, steps []level.Step) (*Calibration, error) {
	path := Path(dir, engine, here.Threads)
	c, err := Read(path)
	if err != nil {
		return nil, err
	}
	if err := c.Check(engine, here, steps); err != nil {
		return nil, fmt.Errorf("learn: %s: %w", path, err)
	}
	return c, nil
}

// Read returns what a file says, whether it is of use here or not.
func Read(path string) (*Calibration, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("learn: %s: %w", path, ErrNone)
	}
	if err != nil {
		return nil, fmt.Errorf("learn: %w", err)
	}
	defer f.Close()
	c, err := decode(f)
	if err != nil {
		return nil, fmt.Errorf("learn: %s: %w", path, err)
	}
	return c, nil
}

// maxBytes bounds what is read: ten times what a calibration takes is not one.
const maxBytes = 1 << 20

func decode(r io.Reader) (*Calibration, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes))
	if err != nil {
		return nil, err
	}
	c := new(Calibration)
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("not readable: %w", err)
	}
	if c.Version != version {
		return nil, fmt.Errorf("of version %d: %w, %d", c.Version, ErrVersion, version)
	}
	return c, nil
}

// Check tells why a calibration is of no use for an engine on a machine, or nil.
func (c *Calibration) Check(engine string, here Hardware, steps []level.Step) error {
	if err := c.fits(engine, here, steps); err != nil {
		return err
	}
	if !c.Helps() {
		return fmt.Errorf("no better than without: regret %.1f %% against %.1f %%", c.Regrets.With, c.Regrets.Without)
	}
	return nil
}

// fits is Check of everything but the regret of the model.
func (c *Calibration) fits(engine string, here Hardware, steps []level.Step) error {
	switch {
	case c.Engine != engine:
		return fmt.Errorf("made for the engine %q", c.Engine)
	case c.Hardware != here:
		return fmt.Errorf("%w: %s", ErrElsewhere, c.Hardware)
	case len(c.Steps) == 0:
		return errors.New("knows no step")
	}
	for name, cost := range c.Steps {
		first, _, _ := strings.Cut(name, "/") // a level within a step that runs several
		if !slices.ContainsFunc(steps, func(s level.Step) bool { return s.Name == first }) {
			return fmt.Errorf("knows a step %q that the engine has not", name)
		}
		if cost.Least() < 0 {
			return fmt.Errorf("step %s takes negative time", name)
		}
	}
	for device, cost := range c.Moves {
		if cost.Least() < 0 {
			return fmt.Errorf("a move to device %q takes negative time", device)
		}
	}
	return nil
}

// Helps tells whether the model decides better than the policy without one, or
// that there is nothing to decide.
func (c *Calibration) Helps() bool { return c.GivenUp || c.Regrets.With < c.Regrets.Without }

// Store writes what learn returns to a file. That the file cannot be written
// shows before learn is called; when learn fails, what was there remains.
func Store(path string, learn func() (*Calibration, error)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		c, err := learn()
		if err != nil {
			return err
		}
		c.Version = version
		text, err := json.MarshalIndent(c, "", "  ")
		if err != nil {
			return fmt.Errorf("learn: %w", err)
		}
		_, err = w.Write(append(text, '\n'))
		return err
	})
}

// Hardware is what costs depend on: where it is equal, a calibration can be shared.
type Hardware struct {
	Model   string `json:"model"`
	CPUs    int    `json:"cpus"` // that the process may use
	Cores   int    `json:"cores"`
	Sockets int    `json:"sockets"`
	L1d     Cache  `json:"l1d"`
	L2      Cache  `json:"l2"`
	L3      Cache  `json:"l3"`
	Threads int    `json:"threads"`          // that search
	Device  string `json:"device,omitempty"` // that searches beside them
}

// A Cache is one level of the processors' caches.
type Cache = topo.Cache

// Here is this host with that many threads searching; 0 is one for every CPU.
func Here(threads int) Hardware {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	host := topo.Here()
	return Hardware{
		Model: host.Model, CPUs: len(host.CPUs), Cores: host.Cores, Sockets: host.Sockets,
		L1d: host.L1d, L2: host.L2, L3: host.L3, Threads: threads,
	}
}

func (h Hardware) String() string {
	s := fmt.Sprintf("%s, %d CPUs, %d threads", h.Model, h.CPUs, h.Threads)
	if h.Device != "" {
		s += ", " + h.Device
	}
	return s
}
