package graph500

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gohops/hops"
	"github.com/gohops/hops/internal/device/energy"
)

// Energy is the energy that searches use, by all meters that there are. It is measured
// after the score, by searching from the same roots again: counters advance in steps that
// are longer than a search.
type Energy struct {
	Meter       string             `json:"meter,omitempty"`       // the meters that are added up
	Unmetered   string             `json:"unmetered,omitempty"`   // what has no meter, and why
	Unavailable string             `json:"unavailable,omitempty"` // why there is no figure
	Searches    int                `json:"searches,omitempty"`    // that were repeated
	Edges       int64              `json:"edges,omitempty"`       // traversed by all of them
	Time        time.Duration      `json:"ns,omitempty"`          // of all of them
	Joules      float64            `json:"joules,omitempty"`      // of all of them: the sum of Parts, without what is Unmetered
	Parts       map[string]float64 `json:"parts,omitempty"`       // joules by each meter
}

// PerSearch is the mean energy of a search in joules.
func (e *Energy) PerSearch() float64 { return e.Joules / float64(e.Searches) }

// Watts is the mean power of a search.
func (e *Energy) Watts() float64 { return e.Joules / e.Time.Seconds() }

// TEPSPerWatt is the number of edges traversed for a joule.
func (e *Energy) TEPSPerWatt() float64 { return float64(e.Edges) / e.Joules }

// meters are the counters of one rank: those of its host, which the first rank of a host
// reads for all, and that of the device, where one process searches alone. Devices of ranks
// have none: they are said to be missing from the sum.
type meters struct {
	comm   Ranks
	hosts  int
	host   *energy.Meter // nil: none, or another rank reads it
	device EnergyMeter   // nil: none
	found  bool          // some rank has a meter
}

// openMeters returns the meters of a searcher. missing names what has none.
func openMeters(comm Ranks, graph Searcher, open func() (*energy.Meter, error)) (m meters, missing []string, err error) {
	m.comm = comm
	firsts := map[int]int{}
	for r := range comm.Size() {
		h := comm.Host(r)
		if first, seen := firsts[h]; !seen || r < first {
			firsts[h] = r
		}
		m.hosts = max(m.hosts, h+1)
	}
	reason := ""
	have := make([]uint64, m.hosts)
	if h := comm.Host(comm.Rank()); firsts[h] == comm.Rank() {
		host, err := open()
		if err != nil {
			reason = ": " + strings.TrimPrefix(err.Error(), energy.ErrUnavailable.Error()+": ")
		} else {
			m.host, have[h] = host, 1
		}
	}
	if err := comm.Sum(have); err != nil {
		return m, nil, err
	}
	for h, some := range have {
		if some == 0 {
			missing = append(missing, m.on(h)+"processors"+reason)
		}
	}
	d, meters := graph.(EnergyMeter)
	if meters = meters && comm.Size() == 1; meters {
		if _, err := d.Joules(); err != nil {
			missing = append(missing, err.Error())
		} else {
			m.device = d
		}
	}
	devices := make([]uint64, m.hosts) // ranks on each host that search on devices without a meter
	if d, ok := graph.(DeviceNamer); ok && d.DeviceName() != "" && m.device == nil && !meters {
		devices[comm.Host(comm.Rank())] = 1
	}
	if err := comm.Sum(devices); err != nil {
		return m, nil, err
	}
	for h, ranks := range devices {
		if ranks > 0 {
			missing = append(missing, fmt.Sprintf("%sdevices of %d processes: no meter of ranks reads them", m.on(h), ranks))
		}
	}
	m.found = m.device != nil || slices.Contains(have, 1)
	return m, missing, nil
}

// on names a host, where there are several.
func (m meters) on(host int) string {
	if m.hosts == 1 {
		return ""
	}
	return fmt.Sprintf("host %d, ", host)
}

// read returns the joules of every meter of all ranks since some fixed time.
func (m meters) read() (map[string]float64, error) {
	const kinds = 2
	v := make([]uint64, kinds*m.hosts) // µJ
	if m.host != nil {
		processors, memory, err := m.host.Read()
		if err != nil {
			return nil, err
		}
		h := m.comm.Host(m.comm.Rank())
		v[kinds*h], v[kinds*h+1] = uint64(processors*1e6), uint64(memory*1e6)
	}
	if err := m.comm.Sum(v); err != nil {
		return nil, err
	}
	parts := map[string]float64{}
	for i, microjoules := range v {
		if microjoules > 0 {
			parts[m.on(i/kinds)+[kinds]string{"processors (RAPL)", "memory (RAPL)"}[i%kinds]] = float64(microjoules) / 1e6
		}
	}
	if m.device == nil {
		return parts, nil
	}
	joules, err := m.device.Joules()
	parts[m.device.MeterName()] = joules
	return parts, err
}

// slow tells whether a meter advances so seldom that it is read before and after many
// searches.
func (m meters) slow() bool { return m.device != nil }

// span is how long searches are repeated: the counters of processors advance every
// millisecond, those of devices about ten times a second.
func (m meters) span() time.Duration {
	if m.slow() {
		return 2 * time.Second
	}
	return 100 * time.Millisecond
}

// energy repeats the searches, all of which are finished. What cannot be measured is no error.
// All ranks repeat the same searches in the same order, but only rank 0 has all results: the
// others do not have those of an earlier run.
func (b *bench) energy(ctx context.Context, graph Searcher, trees trees, roots []hops.Vertex) error {
	e := &Energy{}
	*b.kernel.energy = e
	searches := *b.kernel.searches
	modelled := []uint64{0}
	if len(searches) > 0 && searches[0].Clock == hops.Model.String() {
		modelled[0] = 1
	}
	if err := b.comm.Max(modelled); err != nil {
		return err
	}
	if modelled[0] == 1 {
		e.Unavailable = "the clock is that of a model"
		return nil
	}
	m, missing, err := openMeters(b.comm, graph, b.openMeter)
	if err != nil {
		return err
	}
	if !m.found {
		e.Unavailable = "no meter: " + strings.Join(missing, "; ")
		return nil
	}
	e.Unmetered = strings.Join(missing, "; ")
	search := func() error {
		i := e.Searches % len(roots)
		if b.comm.Rank() == 0 {
			e.Edges += searches[i].Edges
		}
		e.Searches++
		return trees.repeat(ctx, roots[i])
	}
	for e.Time < m.span() {
		if err := b.addEnergy(e, m, func() { trees.clear(m.slow()) }, search); err != nil {
			return fmt.Errorf("energy: %w", err)
		}
	}
	if e.Meter = strings.Join(slices.Sorted(maps.Keys(e.Parts)), " and "); e.Joules <= 0 {
		e.Unavailable = e.Meter + " does not advance"
	}
	return nil
}

// addEnergy counts one search, and none of the clearing before it. By a slow meter it
// counts as many searches as fill the span, with the clearing between them.
func (b *bench) addEnergy(e *Energy, m meters, empty func(), search func() error) error {
	empty()
	before, err := m.read()
	if err != nil {
		return err
	}
	stop, err := b.stopwatch()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := search(); err != nil {
		return err
	}
	for m.slow() && time.Since(start) < m.span() {
		empty()
		if err := search(); err != nil {
			return err
		}
	}
	took, err := stop()
	if err != nil {
		return err
	}
	after, err := m.read()
	e.add(took, before, after)
	return err
}

// add adds what the meters counted in some time.
func (e *Energy) add(took time.Duration, before, after map[string]float64) {
	e.Time += took
	if e.Parts == nil {
		e.Parts = map[string]float64{}
	}
	for name, joules := range after {
		e.Parts[name] += joules - before[name]
		e.Joules += joules - before[name]
	}
}
