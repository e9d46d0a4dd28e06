package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// An entry is a file in an archive or package.
type entry struct {
	name    string // relative, with slashes
	mode    fs.FileMode
	content []byte
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// archives writes an archive for each platform.
func (r *release) archives(context.Context) error {
	return r.each(func(p platform, program []byte) error {
		name := "hops-" + r.version + "-" + p.String()
		entries := []entry{{p.program(), 0o755, program}}
		entries = append(entries, r.shared...)
		for i := range entries {
			entries[i].name = path.Join(name, entries[i].name)
		}
		if p.system == "windows" {
			content, err := zipped(entries, r.time)
			if err != nil {
				return err
			}
			return r.write(name+".zip", content)
		}
		content, err := tarred(entries, r.time)
		if err != nil {
			return err
		}
		return r.write(name+".tar.gz", gzipped(content))
	})
}

// sourceArchive writes the tracked files of the commit, from which recipes build.
func (r *release) sourceArchive(ctx context.Context) error {
	name := "hops-" + r.version
	content, err := output(ctx, r.source, nil, "git", "archive", "--format=tar", "--prefix="+name+"/", "HEAD")
	if err != nil {
		return err
	}
	return r.write(name+".tar.gz", gzipped(content))
}

// tarred is a tar archive of the entries and of the folders above them.
func tarred(entries []entry, t time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, folder := range folders(entries) {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: folder + "/", Mode: 0o755, ModTime: t}); err != nil {
			return nil, err
		}
	}
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: int64(e.mode), Size: int64(len(e.content)), ModTime: t}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// folders are all folders above the entries, each after the one that it is in.
func folders(entries []entry) []string {
	var list []string
	for _, e := range entries {
		for dir := path.Dir(e.name); dir != "."; dir = path.Dir(dir) {
			list = append(list, dir)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func zipped(entries []entry, t time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: t}
		h.SetMode(e.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// gzipped is the content without a name and a time in its header.
func gzipped(content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(content) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

func sortEntries(entries []entry) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
}
