//go:build !amd64

package sssp

const haveVectors, haveAVX2 = false, false

func pullAVX2(*vectorPull) {}

func pullFirstOnlyAVX2(*vectorPull) {}

func pullAVX512(*vectorPull) {}

func pullFirstOnlyAVX512(*vectorPull) {}

func pushAVX512(*vectorPush) {}

func pullRowsAVX512(*vectorPull) {}

func settleAVX512(*vectorPull) {}

func pushRowsAVX512(*vectorRows) {}

func writeAVX512(*vectorWrite) {}
