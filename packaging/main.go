// Program packaging makes the files of a release of hops: archives, packages, an image, a
// list of what is in them, and signed checksums.
//
// Every file is a function of the commit and of the Go release alone. Times are the time of
// the commit, and names are sorted, so that anybody can make the same bytes again.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	source := flag.String("source", "..", "a clone of the repository without changes")
	out := flag.String("out", "../build/release", "folder for the files; it must not exist")
	key := flag.String("key", "", "private key of ssh-keygen that signs SHA256SUMS; unsigned without one")
	names := flag.String("platforms", strings.Join(allPlatforms, " "), "platforms to build for; /static adds a program without libraries")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	files, err := makeRelease(ctx, *source, *out, strings.Fields(*names), *key)
	if err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
	for _, f := range files {
		fmt.Printf("%12d  %s\n", f.size, f.name)
	}
}
