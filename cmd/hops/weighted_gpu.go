package main

import (
	"context"

	"github.com/gohops/hops"
	"github.com/gohops/hops/engine/gpu"
	"github.com/gohops/hops/graph500"
)

// weightedGPU is kernel 1 for both searches on one device.
func weightedGPU(o gpu.Options) *graph500.WeightedEngine {
	device := gpu.Options{Driver: o.Driver, Device: o.Device}
	return &graph500.WeightedEngine{
		Need: func(n hops.Vertex, m int64) int64 { return gpu.HostNeed(o, n, m) + gpu.HostNeedPaths(device, n, m) },
		Build: func(ctx context.Context, src hops.WeightedSource) (graph500.PathSearcher, error) {
			breadth, err := gpu.Build(ctx, src, o)
			if err != nil {
				return nil, err
			}
			paths, err := gpu.NewPaths(ctx, src, device, false)
			if err != nil {
				_ = breadth.Close()
				return nil, err
			}
			return &gpuPaths{breadth, paths}, nil
		},
		Wide: func(ctx context.Context, src hops.WeightedSource) (graph500.WideSearcher, error) {
			return gpu.NewPaths(ctx, src, device, true)
		},
	}
}

// gpuPaths searches a graph on a device in both ways.
type gpuPaths struct {
	*gpu.Searcher
	paths *gpu.Paths
}

// SearchPaths implements graph500.PathSearcher.
func (s *gpuPaths) SearchPaths(ctx context.Context, root hops.Vertex, p *hops.Paths) (hops.Trace, error) {
	return s.paths.Search(ctx, root, p)
}

// PathsOnDevice implements graph500.PathsOnDevice.
func (s *gpuPaths) PathsOnDevice() graph500.DevicePaths { return s.paths }

// Close closes both.
func (s *gpuPaths) Close() error {
	_ = s.paths.Close()
	return s.Searcher.Close()
}
