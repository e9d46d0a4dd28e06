package projection

import (
	"github.com/gohops/hops"
	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/level"
)

// Traffic is what edges cost when they are sent: of the entries examined whose
// other end is elsewhere, how many are sent, and in how many bytes.
type Traffic struct {
	PerEntry float64 // edges sent, probes and claims, for an entry with a remote end
	Bytes    float64 // of one
}

// paperTraffic stands in where no ranks were measured: every remote entry is
// sent, in the paper's six bytes, or four to five compressed; bottom-up it is
// asked and sometimes answered.
var paperTraffic = map[level.Direction]Traffic{
	level.TopDown:  {PerEntry: 1, Bytes: 5},
	level.BottomUp: {PerEntry: 1.5, Bytes: 5},
}

// LearnTraffic takes what ranks told each other from searches of a scale on a
// cluster of so many, relative to the work that the model expects at that scale.
// Directions of which it has seen nothing are as in the paper.
func (m *Model) LearnTraffic(scale, ranks int, searches []graph500.Search) {
	var entries, sent, bytes [level.Directions]float64
	for _, w := range m.Work(scale).Levels {
		entries[w.Direction] += w.Examined * (1 - 1/float64(ranks))
	}
	for _, s := range searches {
		for _, l := range s.Levels {
			d := level.TopDown
			if vote(l.Step) > 0 {
				d = level.BottomUp
			}
			sent[d] += float64(l.Messages) / float64(len(searches))
			bytes[d] += float64(packets(l)) / float64(len(searches))
		}
	}
	for d, usual := range paperTraffic {
		m.Traffic[d] = usual
		if entries[d] > 0 && sent[d] > 0 {
			m.Traffic[d] = Traffic{sent[d] / entries[d], bytes[d] / sent[d]}
		}
	}
}

// packets is the bytes that edges were sent in. What the ranks of a level agree on
// apart from that does not grow with the graph.
func packets(l hops.Level) int64 {
	if l.Exchange != nil {
		return l.Exchange.Encoded
	}
	return l.Bytes
}

// Sent predicts the edges and bytes that a search sends on so many ranks.
func (m *Model) Sent(scale, ranks int) (edges, bytes float64) {
	for _, w := range m.Work(scale).Levels {
		c := m.Traffic[w.Direction]
		n := c.PerEntry * w.Examined * (1 - 1/float64(ranks))
		edges, bytes = edges+n, bytes+n*c.Bytes
	}
	return edges, bytes
}
