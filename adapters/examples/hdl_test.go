package examples

import (
	"fmt"
	"io/fs"

	"github.com/gohops/hops/hdl"
)

// The hardware description is embedded.
func Example_hdl() {
	must(fs.Stat(hdl.Sources, hdl.Top+".sv"))
	fmt.Println(hdl.Top)
	// Output: cygraph
}
