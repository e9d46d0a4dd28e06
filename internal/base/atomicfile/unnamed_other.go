//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// openUnnamed fails: only Linux has files without a name.
func openUnnamed(string) (*os.File, func(name string) error, error) {
	return nil, nil, errors.ErrUnsupported
}
