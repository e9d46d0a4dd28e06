package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"fmt"
	"path"
	"strings"

	"github.com/google/rpmpack"
)

const (
	summary    = "breadth-first search on large graphs, and the Graph500 benchmark"
	homepage   = "https://github.com/gohops/hops"
	maintainer = "hops maintainers <hops@users.noreply.github.com>"
)

// debArch and rpmArch are the names that packages give to processors.
var (
	debArch = map[string]string{"amd64": "amd64", "arm64": "arm64"}
	rpmArch = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
)

// packages writes a deb and an rpm of every dynamic program for Linux.
func (r *release) packages(context.Context) error {
	return r.each(func(p platform, program []byte) error {
		if p.system != "linux" || p.static {
			return nil
		}
		if err := r.deb(p, r.installed(program, "usr/share/zsh/vendor-completions")); err != nil {
			return err
		}
		return r.rpm(p, r.installed(program, "usr/share/zsh/site-functions"))
	})
}

// installed are the files of a package at their places in the file system.
func (r *release) installed(program []byte, zsh string) []entry {
	list := []entry{{"usr/bin/hops", 0o755, program}}
	places := map[string]string{
		"completions/hops.bash": "usr/share/bash-completion/completions/hops",
		"completions/hops.fish": "usr/share/fish/vendor_completions.d/hops.fish",
		"completions/_hops":     zsh + "/_hops",
		"LICENSE":               "usr/share/doc/hops/copyright",
	}
	for _, e := range r.shared {
		if page, ok := strings.CutPrefix(e.name, "man/"); ok {
			e.name, e.content = "usr/share/man/man1/"+page+".gz", gzipped(e.content)
		} else if place := places[e.name]; place != "" {
			e.name = place
		} else {
			e.name = path.Join("usr/share/doc/hops", e.name)
		}
		list = append(list, e)
	}
	sortEntries(list)
	return list
}

// deb writes a Debian package: an ar archive of the format's version, of what describes the
// package, and of its files.
func (r *release) deb(p platform, files []entry) error {
	size, sums := 0, strings.Builder{}
	for i := range files {
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(files[i].content), files[i].name)
		size += len(files[i].content)
	}
	control := fmt.Sprintf(`Package: hops
Version: %s
Section: science
Priority: optional
Architecture: %s
Maintainer: %s
Installed-Size: %d
Depends: libc6
Suggests: openmpi-bin | mpich, ocl-icd-libopencl1
Homepage: %s
Description: %s
 hops answers how many hops one vertex of a graph is from another, and by which
 path, on graphs from a small file to billions of edges.
`, r.packageVersion(), debArch[p.arch], maintainer, (size+1023)/1024, homepage, summary)
	description, err := tarred([]entry{{"control", 0o644, []byte(control)}, {"md5sums", 0o644, []byte(sums.String())}}, r.time)
	if err != nil {
		return err
	}
	data, err := tarred(files, r.time)
	if err != nil {
		return err
	}
	content := ar(r.time.Unix(), entry{"debian-binary", 0o644, []byte("2.0\n")},
		entry{"control.tar.gz", 0o644, gzipped(description)}, entry{"data.tar.gz", 0o644, gzipped(data)})
	return r.write(fmt.Sprintf("hops_%s_%s.deb", r.packageVersion(), debArch[p.arch]), content)
}

// ar is an archive in the common format of ar.
func ar(unix int64, members ...entry) []byte {
	b := bytes.NewBufferString("!<arch>\n")
	for _, m := range members {
		fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", m.name, unix, 0, 0, 0o100000|m.mode, len(m.content))
		b.Write(m.content)
		if len(m.content)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func (r *release) rpm(p platform, files []entry) error {
	libc, err := rpmpack.NewRelation("glibc")
	if err != nil {
		return err
	}
	rpm, err := rpmpack.NewRPM(rpmpack.RPMMetaData{
		Name: "hops", Summary: summary, Description: summary, Version: r.packageVersion(), Release: "1", Arch: rpmArch[p.arch], OS: "linux",
		Licence: "Apache-2.0", URL: homepage, Packager: maintainer, BuildHost: "reproducible", BuildTime: r.time,
		Compressor: "gzip", Requires: rpmpack.Relations{libc},
	})
	if err != nil {
		return err
	}
	for _, f := range files {
		rpm.AddFile(rpmpack.RPMFile{
			Name: "/" + f.name, Body: f.content, Mode: 0o100000 | uint(f.mode), Owner: "root", Group: "root", MTime: uint32(r.time.Unix()),
		})
	}
	var b bytes.Buffer
	if err := rpm.Write(&b); err != nil {
		return err
	}
	return r.write(fmt.Sprintf("hops-%s-1.%s.rpm", r.packageVersion(), rpmArch[p.arch]), b.Bytes())
}
