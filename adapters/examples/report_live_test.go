package examples

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/page/live"
)

// A browser can watch a run.
func Example_reportLive() {
	server := must(live.Start("127.0.0.1:0", graph500.Result{Engine: "serial"}))
	page := must(http.Get(server.URL()))
	page.Body.Close()
	res, err := graph500.Run(context.Background(), graph500.Config{Scale: 6, Roots: 2}, serialEngine(), server)
	server.Close(res, err)
	fmt.Println(page.StatusCode, err)
	// Output: 200 <nil>
}
