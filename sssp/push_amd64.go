package sssp

//go:noescape
func pushAVX512(a *vectorPush)
