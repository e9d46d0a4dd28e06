package edge

// The vectors in this file were printed by release 3.0.1 of the Graph500
// reference implementation, or computed from its lists by an independent
// program. Seeds 2, 3 and edge factor 16.

type edgeVector struct {
	scale int
	index int64
	u, v  uint64
	bits  uint32 // of the weight
}

var edgeVectors = []edgeVector{
	{10, 0, 299, 797, 0x3efaf79e},
	{10, 1, 684, 861, 0x3f074f26},
	{10, 2, 185, 385, 0x3f26bcd6},
	{10, 3, 428, 328, 0x3e86be0c},
	{16, 0, 53430, 37000, 0x3ee899e6},
	{16, 1, 16463, 33235, 0x3f6a4882},
	{16, 2, 57163, 11309, 0x3eaa9b60},
	{16, 3, 15642, 60592, 0x3cd91bbd},
	{20, 0, 754405, 286754, 0x3ef17e1e},
	{20, 1, 802479, 384927, 0x3f67e3da},
	{20, 2, 737253, 940441, 0x3e81875a},
	{20, 3, 991768, 448150, 0x3f6f73fa},
	{26, 0, 43087935, 12069349, 0x3f09e169},
	{26, 1, 64007174, 5598250, 0x3e5df873},
	{26, 2, 15506062, 17058540, 0x3f153395},
	{26, 3, 22404129, 160277, 0x3f5168fe},
	{26, 1073741820, 7330175, 45829365, 0x3e1fc810},
	{26, 1073741821, 27479186, 25762179, 0x3e81315b},
	{26, 1073741822, 25770626, 20139110, 0x3e8631c1},
	{26, 1073741823, 22527560, 14637612, 0x3df66db7},
	{32, 0, 661502734, 327284704, 0x3dc19647},
	{32, 1, 1088202549, 827448624, 0x3eb963ec},
	{32, 2, 2199329791, 3953124628, 0x3ed299a5},
	{32, 3, 2073825567, 1450426902, 0x3ce27fc8},
	{42, 70368744177660, 3530073194855, 3798559945121, 0x3f323134},
	{42, 70368744177661, 978662955503, 1048395819812, 0x3ed742e3},
	{42, 70368744177662, 3353127390134, 945118979263, 0x3f1c6cf3},
	{42, 70368744177663, 2180090314579, 1335330401010, 0x3f23dc16},
}

// SHA-256 of whole lists, as packed tuples and as float32 in little-endian order.
var listVectors = []struct {
	scale          int
	edges, weights string
}{
	{
		10, "b6890e5051a7a45a3b22e4742f6c7b37dbdffb8608a05565bc237a0962f62b10",
		"199971e6332f459fe9980a9824b2961e9ec6c724118e24549a1c3880d28616b4",
	},
	{
		12, "a21c53347c8ca6146a2712f99f8a8800e5fabba1a6f4c9177f56f59f863287eb",
		"58f03ecd7d252607d60b90a2e0f3509dd59c90dec385bbc444ad677545a8a370",
	},
	{
		16, "8fd23b636aa8b776e820b6f563c43500fb48cb9968daac26e6ce54b899783dd9",
		"a81bf9d9ef5300b830ae7c7b801560cee4f3ec71840717bd28fd67b14756f0a0",
	},
}

// isolated counts the vertices without an edge to another vertex, maxDegree
// counts duplicates but not loops, distinct counts undirected edges without loops.
var graphVectors = []struct {
	scale, loops, isolated, maxDegree, distinct int
}{
	{10, 144, 125, 1977, 10551},
	{12, 208, 743, 4765, 48358},
	{16, 491, 18721, 25485, 909598},
}

// scrambled holds the new labels of 0, 1, 2, …
var scrambleVectors = []struct {
	scale     int
	scrambled []uint64
}{
	{10, []uint64{684, 231, 944, 502, 57, 570, 338, 866}},
	{26, []uint64{47722858, 63774197, 9000960, 26534544}},
}
