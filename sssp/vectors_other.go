//go:build !amd64

package sssp

const haveVectors = false

func pullAVX512(*vectorPull) {}

func pullLoneAVX512(*vectorPull) {}

func pushAVX512(*vectorPush) {}

func pullRowsAVX512(*vectorRows) {}

func pushRowsAVX512(*vectorRows) {}

func writeAVX512(*vectorWrite) {}
