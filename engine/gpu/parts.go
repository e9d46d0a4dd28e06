package gpu

import (
	"errors"
	"fmt"
	"sync"
)

// parts search a graph whose labels are cut into ranges. Every device has a share of the
// parts and runs all levels of all of them in one launch, together with the launches of the
// other devices. kernels/parts.cu says how they exchange what they find.
type parts struct {
	shares  []*share
	number  int // of parts
	blocks  int // blocks for each part
	rows    int64
	entries int64 // rows out of the vertices of all shares

	tree      buffer // on the first device, of all labels; 0: the shares have one device
	gathered  bool   // the tree has the parents of the last search
	gathering *memory
}

// A share is the parts of one device. The arrays of its state have room for each of them, one
// after the other.
type share struct {
	*state
	portion
	sizes stateSizes
	mem   *memory
	levels,
	peers, // addresses of arrays of all parts, for CUDA
	flags buffer // of the barrier between the launches
}

// A portion is the parts [begin, until) of so many.
type portion struct{ begin, until, of int }

func (p portion) count() int64 { return int64(p.until - p.begin) }

// partOf returns the labels of part i of so many. Every part but the last has a
// multiple of 32 labels.
func partOf(n uint32, i, of int) (first, end uint32) {
	words := (int64(n) + 31) / 32
	at := func(i int) uint32 { return uint32(min(words*int64(i)/int64(of)*32, int64(n))) }
	return at(i), at(i + 1)
}

// labels are those of all parts of the portion.
func (p portion) labels(n uint32) (first, end uint32) {
	first, _ = partOf(n, p.begin, p.of)
	_, end = partOf(n, p.until-1, p.of)
	return first, end
}

// buildParts makes the rows of so many parts, an equal number on each device, on all devices
// at the same time.
func buildParts(devices []device, number int, build func(device, portion, member) (*graph, error)) (*parts, error) {
	p := &parts{number: number, shares: make([]*share, len(devices)), gathering: newMemory(devices[0])}
	for _, d := range devices {
		for _, from := range devices {
			if err := allow(d, from); err != nil {
				return nil, err
			}
		}
	}
	errs := make([]error, len(devices))
	members := make([]member, len(devices)) // of one device: alone
	if len(devices) > 1 {
		pool := newPool(len(devices))
		for i := range members {
			members[i] = member{pool, i}
		}
	}
	var wait sync.WaitGroup
	for i, d := range devices {
		s := &share{portion: portion{i * number / len(devices), (i + 1) * number / len(devices), number}, mem: newMemory(d)}
		p.shares[i] = s
		wait.Go(func() {
			g, err := build(d, s.portion, members[i])
			if err == nil {
				s.state = &state{graph: g, mem: newMemory(d)} // to be freed
			} else if !errors.Is(err, errOther) {
				errs[i] = fmt.Errorf("%w (parts %d to %d of %d)", err, s.begin, s.until-1, number)
			}
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, p.free())
	}
	return p, nil
}

// open allocates what the searches need, with so many blocks for each part.
func (p *parts) open(grids []shape) error {
	for i, s := range p.shares {
		p.rows += int64(s.rows)
		p.entries += s.outRows().entries
		sizes, err := s.sizesOf(p.blocks, grids[i])
		if err != nil {
			return err
		}
		p.unify(sizes)
	}
	for i, s := range p.shares {
		if err := s.open(p.shares[0].sizes, grids[i], p.blocks, len(p.shares)); err != nil {
			return err
		}
	}
	if len(p.shares) > 1 {
		p.tree = p.gathering.make("tree", int64(p.shares[0].n), 4)
	}
	return errors.Join(p.gathering.err, p.writePeers())
}

// A peer is a device that can read the memory of others of its kind.
type peer interface {
	device
	allow(from device) error
	copyFrom(dst buffer, dstAt int64, from device, src buffer, srcAt, bytes int64) error
}

// allow lets the kernels of a device read the memory of another one.
func allow(d, from device) error {
	if d == from {
		return nil
	}
	p, ok := d.(peer)
	if !ok {
		return fmt.Errorf("gpu: %s cannot read the memory of %s", d.Name(), from.Name())
	}
	return p.allow(from)
}

func (s *share) open(sizes stateSizes, grid shape, blocks, launches int) error {
	s.sizes = sizes
	s.sizes.parts, s.sizes.blocks = s.count(), s.count()*int64(blocks)
	if launches > 1 {
		s.sizes.parentsFrom, s.sizes.parentsEnd = s.portion.labels(s.n)
	}
	g := s.graph
	var err error
	if s.state, err = allocState(g, grid, s.sizes); err != nil {
		s.state = &state{graph: g, mem: newMemory(g.dev)}
		return err
	}
	s.levels = s.mem.makeZero("levels of parts", s.count()*(2*levelsPerLaunch+2), levelSize)
	s.peers = s.mem.make("addresses of parts", int64(s.of*peerArrays+launches), 8)
	s.flags = s.mem.makeZero("flags", int64(launches+1), 4)
	return s.mem.err
}

// writePeers tells every device where the arrays of all parts are.
func (p *parts) writePeers() error {
	var table []buffer
	for _, s := range p.shares {
		words, list := 4*int64(s.words()), 4*s.sizes.capacity*int64(p.blocks)
		for i := range s.count() {
			at := func(b buffer, stride int64) buffer { return b + buffer(i*stride) }
			table = append(table, at(s.visited[0], words), at(s.visited[1], words), at(s.queue[1], 4*s.sizes.queue), at(s.list[0], list),
				at(s.list[1], list), at(s.lengths, 8*int64(p.blocks)), at(s.levels, levelSize*(2*levelsPerLaunch+2)), s.parentsAt())
		}
	}
	for _, s := range p.shares {
		table = append(table, s.flags)
	}
	for _, s := range p.shares {
		if err := s.dev.write(s.peers, 0, bytesOf(table)); err != nil {
			return err
		}
	}
	return nil
}

// start launches a search on all devices. Only the first one answers.
func (p *parts) start(a searchArgs) error {
	p.gathered = false
	for i, s := range p.shares {
		s.root = p.shares[0].root
		if i > 0 {
			a.reply = reply{at: s.control}
		}
		if err := s.searchParts(s, p, i, a); err != nil {
			return err
		}
	}
	return nil
}

// gather copies the parents of all parts to the first device, where there are several, and
// returns the tree.
func (p *parts) gather() (buffer, error) {
	if p.tree == 0 {
		return p.shares[0].parent, nil
	}
	if p.gathered {
		return p.tree, nil
	}
	to := p.shares[0].dev
	for _, s := range p.shares {
		bytes := 4 * (int64(s.end) - int64(s.first))
		if bytes == 0 {
			continue
		}
		if err := to.(peer).copyFrom(p.tree, 4*int64(s.first), s.dev, s.parent, 0, bytes); err != nil {
			return 0, err
		}
	}
	p.gathered = true
	return p.tree, to.Sync()
}

// free gives the memory of all parts back.
func (p *parts) free() error {
	errs := []error{p.gathering.close()}
	for _, s := range p.shares {
		errs = append(errs, s.mem.close())
		if s.state != nil {
			errs = append(errs, s.state.mem.close(), s.graph.mem.close())
		}
	}
	return errors.Join(errs...)
}
