package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// document adds the licence, the manual and the completions to what all packages have. The
// program itself prints them, so it must run here.
func (r *release) document(ctx context.Context) error {
	program := filepath.Join(r.out, "hops-document")
	if err := os.WriteFile(program, r.programs[host()], 0o755); err != nil {
		return err
	}
	defer os.Remove(program)
	hops, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"} {
		content, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		r.shared = append(r.shared, entry{name, 0o644, content})
	}
	if err := r.manual(ctx, hops); err != nil {
		return err
	}
	for shell, file := range map[string]string{"bash": "hops.bash", "zsh": "_hops", "fish": "hops.fish"} {
		content, err := output(ctx, "", nil, hops, "completion", shell)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, entry{"completions/" + file, 0o644, content})
	}
	sortEntries(r.shared)
	return nil
}

// manual adds a page for the program and one for each verb.
func (r *release) manual(ctx context.Context, hops string) error {
	listed, err := output(ctx, "", nil, hops, "__complete", "")
	if err != nil {
		return err
	}
	verbs := []string{""}
	for line := range strings.Lines(string(listed)) {
		if verb, _, ok := strings.Cut(line, "\t"); ok {
			verbs = append(verbs, verb)
		}
	}
	for _, verb := range verbs {
		help, err := output(ctx, "", nil, hops, append([]string{"help"}, strings.Fields(verb)...)...)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix("hops-"+verb, "-")
		r.shared = append(r.shared, entry{"man/" + name + ".1", 0o644, r.page(name, string(help))})
	}
	return nil
}

// page is a page of the manual. The help is set as it stands: its tables and examples are
// aligned by hand, which a converter from Markdown would undo.
func (r *release) page(name, help string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 %q \"hops %s\"\n.SH NAME\n%s \\- breadth-first search and the Graph500 benchmark\n.SH DESCRIPTION\n.nf\n",
		strings.ToUpper(name), r.time.Format("2006-01-02"), r.version, roff(name))
	for line := range strings.Lines(help) {
		b.WriteString(roff(line))
	}
	b.WriteString(".fi\n")
	return []byte(b.String())
}

// roff is a line with the characters quoted that troff takes for commands.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}
