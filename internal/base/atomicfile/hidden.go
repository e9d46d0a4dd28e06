package atomicfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Files with hidden names. A process that writes one holds a lock on it, which the kernel
// releases when the process ends, however it does. So a hidden file that can be locked is
// abandoned, and the process that has locked it may remove it.

// errOwned: another process has the lock.
var errOwned = errors.New("another process has the lock")

// digits is the number of hexadecimal digits at the end of a hidden name.
const digits = 8

// hiddenName returns a random hidden name in the folder of path.
func hiddenName(path string) string {
	dir, base := filepath.Split(path)
	return fmt.Sprintf("%s.%s.%0*x", dir, base, digits, rand.Uint32())
}

// openHidden creates a file with a hidden name and locks it until release is called. A
// process that looks for abandoned files may find it before it is locked, and remove it:
// then there is another. A file system without locks keeps what is abandoned.
func openHidden(path string) (f *os.File, name string, release func(), err error) {
	for {
		name = hiddenName(path)
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
			return nil, "", nil, err
		}
		release, err = claim(f)
		if !errors.Is(err, errOwned) && isAt(f, name) {
			return f, name, release, nil
		}
		release()
		_ = f.Close()
	}
}

// removeAbandoned removes the hidden files of path whose writers have ended.
func removeAbandoned(path string) {
	dir, base := filepath.Split(path)
	entries, _ := os.ReadDir(filepath.Clean(dir)) // what cannot be read keeps what it has
	for _, e := range entries {
		random, ok := strings.CutPrefix(e.Name(), "."+base+".")
		if _, err := strconv.ParseUint(random, 16, 32); !ok || err != nil || len(random) != digits || !e.Type().IsRegular() {
			continue
		}
		name := dir + e.Name()
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		release, err := claim(f)
		if err == nil && isAt(f, name) {
			_ = os.Remove(name)
		}
		release()
		_ = f.Close()
	}
}

// isAt tells whether f is the file of that name.
func isAt(f *os.File, name string) bool {
	mine, err := f.Stat()
	there, thereErr := os.Stat(name)
	return err == nil && thereErr == nil && os.SameFile(mine, there)
}
