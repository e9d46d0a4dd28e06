package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/report"
)

// reportFlags are where a report goes.
type reportFlags struct {
	html          string
	svg, png, csv string // folders
}

func (a *app) reportCommand() *cobra.Command {
	var o reportFlags
	c := &cobra.Command{
		Use:   "report RESULT.json...",
		Short: "Show results of the benchmark: tables, plots, comparisons",
		Long: `report shows what hops graph500 --to json has written: the score with its
spread, levels with their steps and times, memory, the machine, and the command
that repeats the run. - is standard input.

Several results are compared with the first, with the difference and whether it
exceeds the noise.

Without options the report is for this terminal. As HTML it is one file that needs
no network; plots are written as SVG and PNG for papers, tables as CSV.`,
		Example: `  hops graph500 --to json --output before.json
  hops report before.json
  hops report before.json after.json --html report.html
  hops report before.json --svg plots --csv tables`,
		Args: atLeast("RESULT.json"),
		RunE: func(c *cobra.Command, files []string) error {
			return o.run(files, c.InOrStdin(), c.OutOrStdout(), a.stderr)
		},
	}
	o.add(c, "file for the report as one HTML page; - is standard output")
	return c
}

func (o *reportFlags) add(c *cobra.Command, html string) {
	f := c.Flags()
	f.StringVar(&o.html, "html", "", html)
	f.StringVar(&o.svg, "svg", "", "folder for every plot as SVG")
	f.StringVar(&o.png, "png", "", "folder for every plot as PNG")
	f.StringVar(&o.csv, "csv", "", "folder for every table as CSV")
}

func (o *reportFlags) run(files []string, stdin io.Reader, stdout, stderr io.Writer) error {
	results, err := readResults(files, stdin, stderr)
	if err != nil {
		return err
	}
	p := report.Page(results)
	if *o == (reportFlags{}) {
		return p.Text(stdout)
	}
	if o.html != "" {
		if err := writeTo(o.html, stdout, p.HTML); err != nil {
			return err
		}
	}
	return o.writeFolders(p, stderr)
}

func (o *reportFlags) writeFolders(p report.Document, stderr io.Writer) error {
	for _, f := range []struct {
		dir, what string
		write     func(dir string) ([]string, error)
	}{{o.svg, "plots", p.SVG}, {o.png, "plots", p.PNG}, {o.csv, "tables", p.CSV}} {
		if f.dir == "" {
			continue
		}
		files, err := f.write(f.dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%d %s are in %s.\n", len(files), f.what, f.dir)
	}
	return nil
}

func readResults(files []string, stdin io.Reader, stderr io.Writer) ([]report.Named, error) {
	var results []report.Named
	names := report.FileNames(files)
	for i, path := range files {
		var r *graph500.Result
		var err error
		if path == "-" {
			path, names[i] = "standard input", "standard input"
			r, err = report.ReadJSON(stdin)
		} else {
			r, err = report.ReadFile(path)
		}
		if err != nil {
			return nil, err
		}
		for _, difference := range r.Audit() {
			fmt.Fprintf(stderr, "hops: %s: %s; what follows is computed from the searches\n", path, difference)
		}
		results = append(results, report.Named{Name: names[i], Result: r})
	}
	return results, nil
}
