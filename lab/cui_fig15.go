package lab

import "context"

var cuiFig15 = Experiment{
	ID:    "cui/fig15",
	Title: "Weak scaling, each way to gather",
	Trend: "The optimised versions scale better than the original from 1 to 16 nodes.",
	Needs: "16 eight-socket nodes",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		s, err := l.cuiSweep(ctx)
		if err != nil {
			return nil, err
		}
		f := s.finding
		rates := s.curves("Weak scaling", "rate", "TEPS", Runs.teps, 1, 2, 3)
		last := len(cuiHosts) - 1
		f.quote("shared, in parallel over original, most hosts", "1.45× (16 nodes: 34.1 %, 6.5 % and 4.6 %)", times(rates[2].y[last], rates[0].y[last]))
		f.claim(larger("sharing is faster on the most hosts", rates[2].y[last], rates[0].y[last], 1))
		return f, nil
	},
}
