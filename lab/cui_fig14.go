package lab

import "context"

var cuiFig14 = Experiment{
	ID:    "cui/fig14",
	Title: "Share of communication, each way to gather",
	Trend: "The share of bottom-up communication on eight nodes falls from 54 % without the optimisations to 18 % with all.",
	Needs: "8 eight-socket nodes",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		s, err := l.cuiSweep(ctx)
		if err != nil {
			return nil, err
		}
		f := s.finding
		shares := s.curves("Share of bottom-up communication", "share", "%", share, 1, 2, 3)
		last := len(cuiHosts) - 1
		f.quote("original", "54 % (8 nodes)", shares[0].y[last].String()+" %")
		f.quote("shared, in parallel", "18 % (8 nodes)", shares[2].y[last].String()+" %")
		f.claim(
			larger("sharing lowers the share of communication", shares[0].y[last], shares[2].y[last], 1),
			rising("the share grows with the hosts", shares[0].y),
		)
		return f, nil
	},
}
