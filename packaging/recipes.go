package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	"path"
	"strings"
	"text/template"
)

// recipeFiles are files for package managers and clusters that name the version and the
// checksums of a release.
//
//go:embed recipes
var recipeFiles embed.FS

// recipes writes them, each with the name that its user expects.
func (r *release) recipes(context.Context) error {
	sums := map[string]string{}
	for _, f := range r.files {
		sums[f.name] = f.sha256
	}
	all, err := template.New("").Funcs(template.FuncMap{
		"sha256": func(suffix string) string {
			none := strings.Repeat("0", 64) // for a platform that was not asked for
			return cmp.Or(sums["hops-"+r.version+suffix], none)
		},
	}).ParseFS(recipeFiles, "recipes/*")
	if err != nil {
		return err
	}
	names, err := recipeFiles.ReadDir("recipes")
	if err != nil {
		return err
	}
	for _, f := range names {
		var b bytes.Buffer
		values := map[string]string{"Version": r.version, "Package": r.packageVersion(), "Homepage": homepage, "Summary": summary}
		if err := all.ExecuteTemplate(&b, f.Name(), values); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		if err := r.write(path.Base(f.Name()), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
