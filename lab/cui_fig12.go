package lab

import "context"

var cuiFig12 = Experiment{
	ID:    "cui/fig12",
	Title: "Cost of communication by number of nodes",
	Trend: "Every communication phase grows with the nodes, and costs more with eight ranks per node than with one: its share of the time rises from 12 % to 54 %.",
	Needs: "8 eight-socket nodes",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		s, err := l.cuiSweep(ctx)
		if err != nil {
			return nil, err
		}
		f := s.finding
		cost := s.curves("Time of a communication phase", "time", "s", phaseTime, 0, 1)
		sent := s.curves("Bytes sent in a communication phase", "sent", "B", phaseBytes, 0, 1)
		shares := s.curves("Share of communication", "share", "%", share, 1)
		f.quote("share of communication on one host, all hosts", "12 %, 54 % (8 nodes)",
			shares[0].y[0].String()+" %, "+shares[0].y[len(cuiHosts)-1].String()+" %")
		f.claim(
			rising("what a phase sends grows with the hosts", sent[1].y),
			larger("two ranks per host send more than one", sent[1].y[2], sent[0].y[2], 1),
			rising("the time of a phase grows with the hosts", cost[1].y),
		)
		return f, nil
	},
}
