package lab

import "context"

var cuiFig13 = Experiment{
	ID:    "cui/fig13",
	Title: "Time of a communication phase, each way to gather",
	Trend: "Sharing the bitmaps of a node halves the time of a communication phase, and parallel gathering brings it to a quarter on eight nodes.",
	Needs: "16 eight-socket nodes",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		s, err := l.cuiSweep(ctx)
		if err != nil {
			return nil, err
		}
		f := s.finding
		cost := s.curves("Time of a communication phase", "time", "s", phaseTime, 1, 2, 3)
		sent := s.curves("Bytes sent in a communication phase", "sent", "B", phaseBytes, 1, 2, 3)
		last := len(cuiHosts) - 1
		f.quote("original over shared, in parallel, time", "4.07× (8 nodes)", times(cost[0].y[last], cost[2].y[last]))
		f.quote("original over shared, in parallel, bytes", "8× less by formulas (1) and (2)", times(sent[0].y[last], sent[2].y[last]))
		f.claim(
			larger("sharing sends less in a phase", sent[0].y[last], sent[2].y[last], 1),
			larger("sharing takes less time in a phase", cost[0].y[last], cost[2].y[last], 1),
		)
		return f, nil
	},
}
