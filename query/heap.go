package query

// A queued vertex waits with a distance that may be out of date.
type queued struct {
	far float64
	v   uint32
}

// A heap has the nearest vertex first.
type heap []queued

func (h *heap) push(q queued) {
	*h = append(*h, q)
	a := *h
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if a[up].far <= a[i].far {
			return
		}
		a[up], a[i] = a[i], a[up]
		i = up
	}
}

func (h *heap) pop() queued {
	a := *h
	first, last := a[0], len(a)-1
	a[0] = a[last]
	a = a[:last]
	*h = a
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(a); child++ {
			if a[child].far < a[least].far {
				least = child
			}
		}
		if least == i {
			return first
		}
		a[least], a[i] = a[i], a[least]
		i = least
	}
}
