//go:build !amd64

package format

// There is no kernel for this processor: plain.go has the same in Go.
var haveVectors = false

func plainAVX512(*lineScan) { panic("format: no vectors") }
