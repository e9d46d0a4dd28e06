package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// allPlatforms are those of a release.
var allPlatforms = []string{
	"linux/amd64", "linux/amd64/static", "linux/arm64", "linux/arm64/static",
	"darwin/amd64", "darwin/arm64", "windows/amd64",
}

// A platform is a system, a processor and whether the program may open libraries.
type platform struct {
	system, arch string
	static       bool
}

func parsePlatform(name string) (platform, error) {
	parts := strings.Split(name, "/")
	if len(parts) != 2 && !(len(parts) == 3 && parts[2] == "static") {
		return platform{}, fmt.Errorf("platform %q: want linux/amd64 or linux/amd64/static", name)
	}
	return platform{parts[0], parts[1], len(parts) == 3}, nil
}

func host() platform { return platform{system: runtime.GOOS, arch: runtime.GOARCH} }

// String is the platform as names of files have it.
func (p platform) String() string {
	if p.static {
		return p.system + "-" + p.arch + "-static"
	}
	return p.system + "-" + p.arch
}

// program is the name of the program in an archive.
func (p platform) program() string {
	if p.system == "windows" {
		return "hops.exe"
	}
	return "hops"
}

func sortedPlatforms(programs map[platform][]byte) []platform {
	return slices.SortedFunc(maps.Keys(programs), func(a, b platform) int { return cmp.Compare(a.String(), b.String()) })
}

// compile builds the program. The go command records tag, commit and time in it; the
// linker leaves out debugging information and its own identifier.
func (p platform) compile(ctx context.Context, source, temporary string) ([]byte, error) {
	file, err := filepath.Abs(filepath.Join(temporary, p.String()))
	if err != nil {
		return nil, err
	}
	defer os.Remove(file)
	args := []string{"build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", file}
	if p.static {
		args = append(args, "-tags=static")
	}
	env := []string{"CGO_ENABLED=0", "GOOS=" + p.system, "GOARCH=" + p.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS="}
	if _, err := output(ctx, source, env, "go", append(args, "./cmd/hops")...); err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return os.ReadFile(file)
}
