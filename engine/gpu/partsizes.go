package gpu

import "errors"

// chooseBlocks chooses the blocks for each part, the same number on all devices, and returns the
// grids of their launches. Where there are fewer blocks than parts, one block does the work of
// the blocks of all parts of a device.
func (p *parts) chooseBlocks(o *Options) ([]shape, error) {
	grids := make([]shape, len(p.shares))
	for i, s := range p.shares {
		var err error
		if grids[i], err = blockShape(s.dev, o.Threads); err != nil {
			return nil, err
		}
		most, err := s.dev.resident("search_parts", grids[i])
		if err != nil {
			return nil, err
		}
		if o.apart {
			most /= p.number
		}
		if o.Blocks > 0 {
			most = min(most, o.Blocks)
		}
		blocks := most / int(s.count())
		if i == 0 || blocks < p.blocks {
			p.blocks = blocks
		}
	}
	for i, s := range p.shares {
		grids[i].blocks, grids[i].together = max(1, p.blocks*int(s.count())), !o.apart
	}
	p.blocks = max(1, p.blocks)
	return grids, nil
}

// unify makes the sizes of all shares the largest of any: a part finds the lists of another
// by its own sizes.
func (p *parts) unify(s stateSizes) {
	for _, one := range p.shares {
		o := &one.sizes
		o.queue, o.records, o.hubRows, o.capacity = max(o.queue, s.queue), max(o.records, s.records), max(o.hubRows, s.hubRows), max(o.capacity, s.capacity)
	}
}

// sizesOf are the sizes of the arrays of one part: of the largest of the share.
func (s *share) sizesOf(blocks int, grid shape) (most stateSizes, err error) {
	for i := s.begin; i < s.until; i++ {
		first, end := partOf(s.n, i, s.of)
		in, err := s.within(first, end)
		if err != nil {
			return most, err
		}
		out, err := s.outRows().within(first, end)
		if err != nil {
			return most, err
		}
		one := sizesFor(in, out, max(1, (int64(end)-int64(first)+31)/32), blocks, grid.threads)
		most.queue = max(most.queue, one.queue, int64(s.words())+1) // top-down levels find vertices of other parts
		most.records, most.hubRows, most.capacity = max(most.records, one.records), max(most.hubRows, one.hubRows), max(most.capacity, one.capacity)
	}
	return most, nil
}

// within is how many rows the labels [first, end) have, and how many entries at most: a
// group of rows counts as a whole.
func (g *graph) within(first, end uint32) (extent, error) {
	begin, err := g.rowsBefore(first)
	if err != nil {
		return extent{}, err
	}
	until, err := g.rowsBefore(end)
	if err != nil || until == begin {
		return extent{}, err
	}
	var before, after [1]uint64
	err = errors.Join(g.dev.read(bytesOf(before[:]), g.base, begin/group*8), g.dev.read(bytesOf(after[:]), g.base, (until+group-1)/group*8))
	return extent{rows: until - begin, entries: int64(after[0] - before[0])}, err
}

// rowsBefore is how many rows the labels before a multiple of 32, or before the end, have.
func (g *graph) rowsBefore(label uint32) (int64, error) {
	if label >= g.n {
		return int64(g.rows), nil
	}
	var word [2]uint32
	err := g.dev.read(bytesOf(word[:]), g.index, 8*int64(label/32))
	return int64(word[1]), err
}
