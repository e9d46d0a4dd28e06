//go:build !linux

package hops

func preferHugePages[T any]([]T) {}
