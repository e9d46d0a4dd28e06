package gpu

import "context"

// PoCL compiles a kernel within its first launch, which takes up to ten seconds and cannot be
// interrupted. A search whose context ends leaves such a launch behind: the launch runs on in the
// driver, and whoever uses the device next waits for it.

// leaving lets calls of a driver be left behind. The zero value leaves none.
type leaving struct {
	ctx    context.Context // of the search under way; nil: calls are waited for
	left   chan error      // receives the end of a call that was left; nil: there is none
	shared bool            // the device works in memory of the host, which must outlive every call
}

// until lets calls be left when the context ends, until the function that it returns is called.
func (l *leaving) until(ctx context.Context) (end func()) {
	if !l.shared {
		l.ctx = ctx
	}
	return func() { l.ctx = nil }
}

// run waits for a call, and leaves it when the context ends.
func (l *leaving) run(call func() error) error {
	l.wait()
	if l.ctx == nil {
		return call()
	}
	ended := make(chan error, 1)
	go func() { ended <- call() }()
	select {
	case err := <-ended:
		return err
	case <-l.ctx.Done():
		l.left = ended
		return l.ctx.Err()
	}
}

// wait returns when the call that was left has ended. Its search has failed already, so its error is
// of no use.
func (l *leaving) wait() {
	if l.left != nil {
		<-l.left
		l.left = nil
	}
}

// close runs f when the call that was left has ended, without waiting for either.
func (l *leaving) close(f func() error) error {
	left := l.left
	if left == nil {
		return f()
	}
	go func() {
		<-left
		_ = f()
	}()
	return nil
}
