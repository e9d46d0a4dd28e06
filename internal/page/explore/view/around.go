package view

import (
	"context"

	"github.com/gohops/hops"
)

// expandShare is the number of neighbours that expanding a vertex adds at most.
const expandShare = 24

// Around asks for a neighbourhood.
type Around struct {
	Center   hops.Vertex
	Expand   []hops.Vertex // vertices of the view whose neighbours are added, in this order
	Hops     int
	Limit    int  // vertices, those that Expand adds apart
	MaxDeg   int  // vertices with more edges are left out, but for the center; 0 is none
	Incoming bool // against the direction of edges
}

// Around returns the neighbourhood of a vertex. If there is not room for all of it, the
// vertices of a level share the room, and those with the most neighbours come first.
func (p *Picker) Around(ctx context.Context, a Around) (*View, error) {
	p.begin()
	p.add(uint32(a.Center), 0, -1)
	s := selection{Picker: p, Around: a, hubs: map[uint32]bool{}}
	front := 0
	for level := 1; level <= a.Hops; level++ {
		room := a.Limit - len(p.view.Vertices)
		if level < a.Hops {
			room = (room + 1) / 2 // the levels that follow need some too
		}
		from := front
		front = len(p.view.Vertices)
		s.grow(from, front, room)
	}
	for _, v := range a.Expand {
		if place, ok := p.places[uint32(v)]; ok {
			s.grow(place, place+1, expandShare)
		}
	}
	p.view.HubsLeft = len(s.hubs)
	if err := p.join(ctx, a.Incoming); err != nil {
		return nil, err
	}
	p.countHidden()
	p.relevel(a.Incoming)
	p.trim()
	return p.view, nil
}

// A selection decides which vertices are in a view.
type selection struct {
	*Picker
	Around
	hubs map[uint32]bool
}

// grow adds up to room neighbours of the vertices at some places of the view, which take
// turns.
func (s *selection) grow(from, to, room int) {
	cursors := make([]int, to-from)
	for active := to - from; active > 0 && room > 0; {
		share := max(1, room/active)
		active = 0
		for i := range cursors {
			added, more := s.take(from+i, &cursors[i], min(share, room))
			room -= added
			if more {
				active++
			}
		}
	}
}

// take adds up to count neighbours of the vertex at a place, from the cursor in its row
// on, and tells whether there may be more.
func (s *selection) take(place int, cursor *int, count int) (added int, more bool) {
	v := s.view.Vertices[place]
	row := s.rows(s.Incoming).Row(uint32(v.Vertex))
	for *cursor < len(row) && added < count {
		if s.budget--; s.budget < 0 {
			s.view.Partial = true
			return added, false
		}
		u := row[*cursor]
		*cursor++
		switch {
		case s.drawn.Has(uint64(u)):
		case s.MaxDeg > 0 && Degree(s.graph, u) > int64(s.MaxDeg):
			s.hubs[u] = true
		default:
			s.add(u, v.Level+1, place)
			added++
		}
	}
	return added, *cursor < len(row)
}
