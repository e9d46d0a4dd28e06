//go:build !amd64

package sssp

func pushAVX512(*vectorPush) {}
