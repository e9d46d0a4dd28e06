package examples

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/report"
)

// A result is written in several formats, and read back.
func Example_report() {
	res := must(graph500.Run(context.Background(), graph500.Config{Scale: 6, Roots: 2}, serialEngine(), nil))
	var file, page bytes.Buffer
	if err := report.JSON(&file, res); err != nil {
		fmt.Println(err)
	}
	back := must(report.ReadJSON(&file))
	if err := report.Page([]report.Named{{Name: "mine", Result: back}}).HTML(&page); err != nil {
		fmt.Println(err)
	}
	fmt.Println(back.Engine, back.Config.Scale, strings.Contains(page.String(), "<svg"))
	// Output: serial 6 true
}
