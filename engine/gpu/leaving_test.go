package gpu

import (
	"context"
	"errors"
	"testing"
)

// A search whose context ends does not wait for the driver. Whoever comes next does, and so does what
// gives the device back, which holds nobody up.
func TestCallsAreLeft(t *testing.T) {
	var l leaving
	ctx, cancel := context.WithCancel(t.Context())
	release, called := make(chan struct{}), make(chan struct{})
	end := l.until(ctx)
	go func() {
		<-called
		cancel()
	}()
	if err := l.run(func() error { close(called); <-release; return nil }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	end()
	closed := make(chan bool, 1)
	if err := l.close(func() error {
		select {
		case <-release:
			closed <- true
		default:
			closed <- false
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	close(release)
	if !<-closed {
		t.Error("the device was given back while a call was under way")
	}
}

// The next call begins when the one that was left has ended, and its own error is returned.
func TestNextCallWaitsForTheLeftOne(t *testing.T) {
	var l leaving
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	release, ended := make(chan struct{}), false
	end := l.until(ctx)
	if err := l.run(func() error { <-release; ended = true; return errors.New("of the first") }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	end()
	close(release)
	second := errors.New("of the second")
	if err := l.run(func() error {
		if !ended {
			t.Error("two calls at once")
		}
		return second
	}); !errors.Is(err, second) {
		t.Error(err)
	}
}

// Nothing is left where a call may use memory of the host, or without a search.
func TestCallsOnMemoryOfTheHostAreNotLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := leaving{shared: true}
	defer l.until(ctx)()
	for range 100 { // whichever of two channels is chosen
		if err := l.run(func() error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
}
