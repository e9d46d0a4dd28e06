// Package tooltest is for tests that need a tool which may not be installed.
package tooltest

import (
	"os"
	"testing"
)

// Missing skips a test whose tool is not there. Under `make test`, which installs all tools
// and sets CI, it fails the test instead: nothing must be left out without a word.
func Missing(t testing.TB, why ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why...)
	}
	t.Skip(why...)
}
