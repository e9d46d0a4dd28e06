package gpu

import (
	"errors"

	"github.com/gohops/hops"
)

// Ready says why Build would refuse a graph of n vertices and m edges, before the graph
// is there: no driver, no device or one that is too old, or too little memory.
func Ready(o Options, n hops.Vertex, m int64) error {
	devices, err := openAll(&o)
	if err != nil {
		return err
	}
	for _, d := range devices {
		err = errors.Join(err, checkSize(d, n, m/int64(len(devices))))
	}
	return errors.Join(err, closeAll(devices))
}
