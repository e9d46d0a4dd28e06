package placement

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// affinity is the CPUs that each worker may run on.
func affinity(t *Team) []unix.CPUSet {
	var here sync.WaitGroup
	sets := make([]unix.CPUSet, t.Size())
	here.Add(t.Size())
	t.Run(func(w int) {
		_ = unix.SchedGetaffinity(0, &sets[w])
		here.Done()
		here.Wait() // nobody does the share of another
	})
	return sets
}

func needTwo(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("two workers need two CPUs to meet")
	}
}

// Workers that have met may run wherever they could before, and do not meet again at once.
func TestMeet(t *testing.T) {
	needTwo(t)
	team, err := NewTeam(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer team.Close()
	before := affinity(team)
	start := now()
	team.rendezvous.ended = start - time.Minute
	if team.Meet(); team.rendezvous.ended < start {
		t.Error("workers did not meet")
	}
	if after := affinity(team); !slices.Equal(before, after) {
		t.Errorf("workers may run on %v after a rendezvous, on %v before", after, before)
	}
	met := now() + time.Minute // however long the next lines take, workers met just before
	team.rendezvous.ended = met
	if team.Meet(); team.rendezvous.ended != met {
		t.Error("workers met twice, one time just after the other")
	}
}

// More workers than CPUs never are all there.
func TestTooManyToMeet(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1 + runtime.NumCPU()))
	team, err := NewTeam(1+runtime.NumCPU(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer team.Close()
	if team.Meet(); team.rendezvous.ended != 0 {
		t.Error("more workers than CPUs met")
	}
}

// Every worker of a part has a CPU of its own to go to, while there are enough.
func TestHomes(t *testing.T) {
	places := Divide(sockets(2), 2, 8)
	homes := map[int]bool{}
	for w := range places {
		homes[home(places, w)] = true
	}
	if len(homes) != 8 {
		t.Errorf("8 workers on 8 CPUs have %d homes: %v", len(homes), homes)
	}
}

// A rendezvous of workers that come late fails.
func TestLateWorkersDoNotMeet(t *testing.T) {
	needTwo(t)
	team, err := NewTeam(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer team.Close()
	if team.meetAt(now() - ticking()) {
		t.Error("workers that came a tick late met in time")
	}
}

// When the coarse clock goes forward, the last tick was just now. On a busy machine some looks are late.
func TestTicks(t *testing.T) {
	var m rendezvous
	tick := ticking()
	closest := time.Hour
	for range 20 {
		if m.findPhase(tick); m.found == 0 {
			continue
		}
		for c := coarse(); coarse() == c; {
		}
		closest = min(closest, (now() - m.lastTick()).Abs())
	}
	if closest > tick/8 {
		t.Errorf("ticks are %v late, one every %v", closest, tick)
	}
}
