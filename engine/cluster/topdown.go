package cluster

// A top-down level by messages.
//
//  1. Every worker follows the edges of the heavy vertices in the frontier that
//     end with it: all of them are local. It does the same with long vertices.
//  2. It reads the rows of its own frontier vertices. A heavy neighbour is noted,
//     any other is posted to its owner, which may be the worker itself.
//  3. The delivery brings the posted edges to the owners, which visit the vertices.
func (m *machine[L]) topDown() {
	m.wantQueue()
	if err := m.tellLong(); err != nil {
		m.fail(err)
		return
	}
	for t := range m.workers { // before any of them may be given a vertex
		m.workers[t].found = m.workers[t].found[:0]
	}
	m.delivery.deliver(m.phases.topDown, m.phases.book)
	m.nextQueue()
}

func (m *machine[L]) topDownWorker(t int) {
	w := &m.workers[t]
	w.followHeavy(&m.heavy, m.kernels)
	if m.long.followed {
		w.followLong(&m.long, m.kernels)
	}
	m.orderQueue(w)
	if w.form == nil {
		m.scanQueue(w)
	} else {
		m.scanForm(w)
	}
}

func (m *machine[L]) bookWorker(t int) { m.workers[t].bookQueue() }

// orderQueue puts the frontier into the order of the rows in memory, if it is large
// enough for that to be quick: vertices are found in any order. Such a frontier is
// also looked through for parents of the heavy vertices from their side, which takes
// less than to look for heavy vertices in every row.
func (m *machine[L]) orderQueue(w *worker[L]) {
	w.heavy.sought = m.heavy.done
	if int64(len(w.queue)) <= w.words() {
		return
	}
	m.frontWorker(w.thread)
	m.queueWorker(w.thread)
	if !m.heavy.done {
		w.findHeavy(&m.heavy, m.frontier.inWords[w.thread])
		w.heavy.sought = true
	}
}

// scanQueue reads the rows of the frontier by its queue.
func (m *machine[L]) scanQueue(w *worker[L]) {
	for _, v := range w.queue {
		heavy, light := w.out.split(v)
		m.expand(w, v, heavy, light)
		if m.failed() {
			return
		}
	}
}

// scanForm reads the rows of the frontier in the order of a form of the rows, by its
// bitmap.
func (m *machine[L]) scanForm(w *worker[L]) {
	m.frontWorker(w.thread)
	w.tally.counts[sumSwept] += w.form.scan(m.frontier.inWords[w.thread], func(v uint32, row []L) {
		if !m.failed() {
			heavy, _ := w.out.split(v)
			m.expand(w, v, row[:len(heavy)], row[len(heavy):])
		}
	})
}

// expand posts the edges of a frontier vertex. Own vertices are posted like others,
// and visited when that packet is full: to ask of each vertex whether it is an own one
// costs more, because the branch cannot be predicted.
func (m *machine[L]) expand(w *worker[L], v uint32, heavy, light []L) {
	label := w.label(v)
	if !w.heavy.sought {
		w.tally.counts[sumExamined] += int64(len(heavy))
		for _, u := range heavy {
			if i, ok := m.heavy.number(u); ok {
				w.visitHeavy(&m.heavy, i, label)
			}
		}
	}
	if m.long.follows(w, v) {
		return
	}
	w.tally.counts[sumExamined] += int64(len(light))
	m.delivery.postRow(w, v, light)
}
