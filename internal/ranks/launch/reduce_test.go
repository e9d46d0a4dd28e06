package launch

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/gohops/hops/internal/device/mpi"
	"github.com/gohops/hops/internal/ranks/rank"
)

// reducers returns reducers that share memory, as the reducers of so many processes do.
func reducers(ranks int) []*reducer {
	slots, all := make([]uint64, reducerWords(ranks)), make([]*reducer, ranks)
	for r := range all {
		state := &processState{failed: make(chan struct{}), procs: 1, oversubscribed: true}
		c := &comm{Comm: &mpi.Comm{Rank: r, Size: ranks}, state: state}
		all[r] = &reducer{comm: c, progress: func() error { return nil }, slots: slots}
	}
	return all
}

// Run under the race detector, this shows that a rank reads a slot only after its writer has
// finished, and that no slot is written again before all have read it. Ranks have as many
// reductions under way as they may, wait for them in different orders, and do not wait for
// some of them before they start others.
func TestReducerReducesInAnyOrder(t *testing.T) {
	const ranks, rounds, each = 3, 200, underWay + 2
	var running sync.WaitGroup
	for r, b := range reducers(ranks) {
		running.Go(func() {
			for round := range uint64(rounds) {
				var under [each]rank.Pending
				var vectors [each][]uint64
				for i := range under {
					vectors[i] = []uint64{round + uint64(i*r), uint64(r)}
					p, err := b.reduce([...]rank.Op{rank.Sum, rank.Max}[i%2], vectors[i])
					if err != nil {
						t.Error(err)
						return
					}
					under[i] = p
				}
				for i := range under {
					if err := under[(i*(r+1)+r)%each].Wait(); err != nil {
						t.Error(err)
						return
					}
				}
				for i, v := range vectors {
					want := [2]uint64{ranks*round + uint64(i*3), 3}
					if i%2 == 1 {
						want = [2]uint64{round + uint64(i*2), 2}
					}
					if [2]uint64(v) != want {
						t.Errorf("rank %d, round %d, reduction %d: %d, want %d", r, round, i, v, want)
						return
					}
				}
			}
		})
	}
	running.Wait()
}

// A rank that has failed does not take back what it has started; a reduction that it has
// not started to fails.
func TestReducerAfterAFailure(t *testing.T) {
	all := reducers(2)
	for _, b := range all {
		if _, err := b.reduce(rank.Sum, []uint64{1}); err != nil {
			t.Fatal(err)
		}
	}
	first := all[0].under[0]
	second, err := all[0].reduce(rank.Sum, []uint64{1})
	if err != nil {
		t.Fatal(err)
	}
	all[0].comm.state.fail(1, errors.New("a fault"))
	if err := first.Wait(); err != nil || first.vector[0] != 2 {
		t.Errorf("the first reduction gave %d, error %v", first.vector[0], err)
	}
	if err := second.Wait(); err == nil {
		t.Error("the second reduction is done without rank 1")
	}
}

// longReductions reduces vectors that just fit in a slot, and longer ones.
func longReductions(w *World) error {
	for _, length := range []int{slotWords - 2, slotWords - 1, slotWords, 10 * slotWords} {
		v := make([]uint64, length)
		for i := range v {
			v[i] = uint64(i * w.Rank())
		}
		if err := rank.Reduced(w, rank.Max, v); err != nil {
			return err
		}
		for i, x := range v {
			if x != uint64(i*(w.Size()-1)) {
				return fmt.Errorf("element %d of %d is %d", i, length, x)
			}
		}
	}
	return nil
}
