// Package turn is a mutex that fails after Close.
package turn

import (
	"errors"
	"sync"
)

// A Turn is held by one user at a time. The zero value is free.
type Turn struct {
	mu     sync.Mutex
	closed bool
}

// Begin waits until no other caller holds the turn and takes it; End gives it back. After
// Close it returns an error that names the engine, and the turn is not taken.
func (t *Turn) Begin(engine string) error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return errors.New(engine + ": the searcher is closed")
	}
	return nil
}

// End gives the turn back.
func (t *Turn) End() { t.mu.Unlock() }

// Close waits until no caller holds the turn and calls release. The second call does
// nothing.
func (t *Turn) Close(release func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	return release()
}
