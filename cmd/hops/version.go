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
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "hops %s %s %s/%s\n",
				graph500.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
