package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A commit is what a release is made of.
type commit struct {
	version string // of the tag, without its v: 1.2.3; or 0.0.0- with day and hash where there is no tag
	hash    string
	time    time.Time
}

// readCommit reads the commit of a clone. It refuses a clone with changes, which nobody
// could make again.
func readCommit(ctx context.Context, source string) (commit, error) {
	changes, err := output(ctx, source, nil, "git", "status", "--porcelain")
	if err != nil {
		return commit{}, err
	}
	if len(changes) > 0 {
		return commit{}, fmt.Errorf("%s has changes that are not committed:\n%s", source, changes)
	}
	text, err := output(ctx, source, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return commit{}, err
	}
	hash, seconds, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return commit{}, err
	}
	c := commit{hash: hash, time: time.Unix(unix, 0).UTC()}
	c.version = "0.0.0-" + c.time.Format("20060102") + "-" + hash[:min(12, len(hash))]
	if tag, err := output(ctx, source, nil, "git", "describe", "--tags", "--exact-match", "--match", "v[0-9]*"); err == nil {
		c.version = strings.TrimPrefix(strings.TrimSpace(string(tag)), "v")
	}
	return c, nil
}

// packageVersion is the version as deb and rpm want it: what follows a tilde is older than
// the version without it.
func (c commit) packageVersion() string { return strings.ReplaceAll(c.version, "-", "~") }

// output runs a program in a folder with additions to the environment, and returns what it
// prints.
func output(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(failed.Stderr))
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out, nil
}
