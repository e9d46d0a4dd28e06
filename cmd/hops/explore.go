package main

import (
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"
)

func (a *app) exploreCommand() *cobra.Command {
	var o serveFlags
	noBrowser := false
	c := &cobra.Command{
		Use:   "explore GRAPH",
		Short: "Look at a graph in a browser",
		Long: `explore opens a page on a graph in the browser, and prints its address: type a
name, and see what is around it; type two, and see all shortest paths between them.
A click goes on from there. Drawings are saved as PNG, SVG, DOT or CSV, and a link
opens the same view again.

Only small parts of the graph are drawn, so that its size does not matter: the page
says what was left out. Where no browser can be opened, go to the address yourself.
It is for this machine only; hops serve listens for others. Ctrl-C ends it.

` + inputHelp + `

Exit status: 0 ended by a signal; 1 the graph could not be read; 2 the command line
makes no sense.`,
		Example: `  hops explore friends.csv
  hops explore web.hops --listen :8080 --no-browser`,
		Args: exactly("GRAPH"),
	}
	o.add(c, ":0")
	c.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address only")
	c.RunE = func(c *cobra.Command, args []string) error {
		if !noBrowser && isTerminal(a.stdout.Writer) {
			o.ready = openBrowser
		}
		return o.run(c.Context(), a, args)
	}
	return c
}

// openBrowser shows an address, if this system can. Whoever reads the address can do it
// too, so that a failure is none.
func openBrowser(address string) {
	opener := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if opener == nil {
		opener = []string{"xdg-open"}
	}
	browser := exec.Command(opener[0], append(opener[1:], address)...)
	if browser.Start() == nil {
		go func() { _ = browser.Wait() }()
	}
}
