package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gohops/hops/graph500"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print which hops this is",
		Long: `version prints the release or the commit that this program was built from, with
the Go release and the platform. Results carry the same words, so that a figure
can be traced to its source.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(c.OutOrStdout(), versionText())
			return err
		},
	}
}

func versionText() string {
	version := graph500.Version()
	text := fmt.Sprintf("hops %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if version == graph500.Unversioned {
		text += "go run and go test leave out which commit they compile; make build records it.\n"
	}
	return text
}
