package lab

import "context"

var romeoFig34b = Experiment{
	ID:    "romeo/fig3.4b",
	Title: "One CPU against one accelerator",
	Trend: "One GPU (K20Xm) is twice as fast as the best CPU code of the benchmark's site on a node.",
	Needs: "a GPU",
	Run: func(ctx context.Context, l *Lab) (*Finding, error) {
		g := kronecker(l.Scale)
		runs, err := l.compare(ctx, g, "cpu", "gpu:driver=cuda", "gpu:driver=opencl")
		if err != nil {
			return nil, err
		}
		cpu, cuda, opencl := runs[0], runs[1], runs[2]
		f := &Finding{Basis: []Basis{Measured}, Setting: l.setting(g, runs...)}
		f.lackOf(runs...)
		names := []string{"cpu", "gpu, CUDA", "gpu, OpenCL"}
		t := newTable("teps", "engine", "rate:TEPS", "over cpu:×")
		for i, r := range runs {
			t.add(names[i], r.teps(), ratio(r.teps(), cpu.teps()))
		}
		f.table(t)
		f.plot(bars("CPU and accelerator", "engine", "rate", "TEPS", names, cpu.teps(), cuda.teps(), opencl.teps()))
		f.quote("GPU over CPU", "2×", times(cuda.teps(), cpu.teps()))
		f.claim(larger("the GPU is faster than the CPU", cuda.teps(), cpu.teps(), 1))
		if cuda.Missing != "" && opencl.Missing == "" {
			f.Notes = append(f.Notes, onDevice)
		}
		return f, nil
	},
}
