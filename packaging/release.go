package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A release is one commit and what has been made of it so far.
type release struct {
	commit
	source, out string
	shared      []entry             // files that all archives and packages have: licence, manual, completions
	programs    map[platform][]byte // the program for each platform
	files       []written
}

// written is a finished file of the release.
type written struct {
	name   string
	size   int
	sha256 string
}

// makeRelease writes all files of a release into the folder out.
func makeRelease(ctx context.Context, source, out string, platforms []string, key string) ([]written, error) {
	c, err := readCommit(ctx, source)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		return nil, fmt.Errorf("the folder of the release: %w", err)
	}
	r := &release{commit: c, source: source, out: out, programs: map[platform][]byte{}}
	if err := r.build(ctx, platforms); err != nil {
		return nil, err
	}
	steps := []func(context.Context) error{r.document, r.archives, r.packages, r.image, r.sourceArchive, r.bill, r.recipes}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return r.files, r.seal(ctx, key)
}

// build compiles the program for every platform.
func (r *release) build(ctx context.Context, names []string) error {
	for _, name := range names {
		p, err := parsePlatform(name)
		if err != nil {
			return err
		}
		if r.programs[p], err = p.compile(ctx, r.source, r.out); err != nil {
			return err
		}
	}
	if r.programs[host()] == nil {
		return fmt.Errorf("%s must be among the platforms: it prints the manual", host())
	}
	return nil
}

// each calls f for all platforms in the order of their names.
func (r *release) each(f func(p platform, program []byte) error) error {
	var errs []error
	for _, p := range sortedPlatforms(r.programs) {
		errs = append(errs, f(p, r.programs[p]))
	}
	return errors.Join(errs...)
}

// write adds a file to the release.
func (r *release) write(name string, content []byte) error {
	if err := os.WriteFile(filepath.Join(r.out, name), content, 0o644); err != nil {
		return err
	}
	r.files = append(r.files, written{name, len(content), digest(content)})
	return nil
}

// seal writes the checksums of all files, and their signature if there is a key.
func (r *release) seal(ctx context.Context, key string) error {
	var sums strings.Builder
	for _, f := range r.files {
		fmt.Fprintf(&sums, "%s  %s\n", f.sha256, f.name)
	}
	const name = "SHA256SUMS"
	if err := r.write(name, []byte(sums.String())); err != nil || key == "" {
		return err
	}
	_, err := output(ctx, r.out, nil, "ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", key, name)
	return err
}
