package osm

import "errors"

// way reads a way, and calls Road for its segments if it is a road.
func (r *Reader) way(b *block, data []byte) error {
	var keys, values, refs packed
	err := each(data, func(f field) error {
		switch f.number {
		case 2:
			keys.data = f.data
		case 3:
			values.data = f.data
		case 8:
			refs.data = f.data
		}
		return nil
	})
	if err != nil {
		return err
	}
	tags, err := b.tags(keys, values)
	if err != nil || !isRoad(tags) {
		return err
	}
	if r.unsorted {
		return errors.New("nodes are not in the order of their ids; osmium sort puts them in order")
	}
	return r.segments(refs, direction(tags))
}

// tags are those that roads depend on.
func (b *block) tags(keys, values packed) (map[string]string, error) {
	tags := map[string]string{}
	for len(keys.data) > 0 {
		k, v := keys.varint(), values.varint()
		if keys.broken || values.broken || k >= uint64(len(b.texts)) || v >= uint64(len(b.texts)) {
			return nil, errDamaged
		}
		switch key := string(b.texts[k]); key {
		case "highway", "oneway", "area", "junction":
			tags[key] = string(b.texts[v])
		}
	}
	return tags, nil
}

// isRoad tells whether a way can be travelled along.
func isRoad(tags map[string]string) bool {
	switch tags["highway"] {
	case "", "no", "proposed", "construction", "abandoned", "razed", "platform", "rest_area", "services":
		return false
	}
	return tags["area"] != "yes"
}

// direction follows the tags; motorways and roundabouts lead one way unless they say otherwise.
func direction(tags map[string]string) Direction {
	switch tags["oneway"] {
	case "yes", "true", "1":
		return Forward
	case "-1", "reverse":
		return Backward
	case "":
		if tags["highway"] == "motorway" || tags["junction"] == "roundabout" {
			return Forward
		}
	}
	return BothWays
}

// segments calls Road for every pair of nodes that follow each other.
func (r *Reader) segments(refs packed, d Direction) error {
	last, lastKnown, lastID := 0, false, int64(0)
	for first, id := true, int64(0); refs.delta(&id); first = false {
		at, known := r.find(id)
		switch {
		case first:
		case !known || !lastKnown:
			r.Missing++
		default:
			if err := r.Road(Segment{From: lastID, To: id, Metres: r.metres(last, at), Direction: d}); err != nil {
				return err
			}
		}
		last, lastKnown, lastID = at, known, id
	}
	if refs.broken {
		return errDamaged
	}
	return nil
}
