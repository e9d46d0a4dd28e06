package format

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// Three nodes on the equator and a degree north of it: a road both ways, then one one way.
func TestRoadsOfOpenStreetMap(t *testing.T) {
	path := filepath.Join("testdata", "osm", "three.osm.pbf")
	const degree = 111_195.08 // metres
	for _, c := range []struct {
		directed bool
		want     string
	}{{false, "100-205 205-310"}, {true, "100-205 205-100 205-310"}} {
		g := realGraph(t, path, Options{Directed: c.directed})
		var got []string
		for _, e := range g.edges {
			got = append(got, e.from+"-"+e.to)
			if math.Abs(float64(e.weight)-degree) > 1 {
				t.Errorf("%v metres of a degree", e.weight)
			}
		}
		if strings.Join(got, " ") != c.want || g.vertices != 3 || !g.weighted || g.directed != c.directed {
			t.Errorf("%v", g)
		}
	}
	_, err := ways[0].open(t, "x.pbf", []byte("\x00\x00\x00\x0d\x0a\x09OSMHeader\x18\x00"), Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "x.pbf: the file has no roads") {
		t.Error(err)
	}
}
