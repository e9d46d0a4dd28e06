package examples

import (
	"fmt"

	"github.com/gohops/hops/lab"
)

func Example_lab() {
	e := must(lab.Find("zhang/table5"))
	fmt.Println(e.Paper(), e.Run != nil)
	// Output: zhang true
}
