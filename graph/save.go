package graph

import (
	"io"

	"github.com/gohops/hops/internal/atomicfile"
)

// Save writes g to a file for Open. The file is whole or not there: it is written
// beside its place and takes it when everything is on the disk.
func Save(path string, g *Graph) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := g.WriteTo(w)
		return err
	})
}
