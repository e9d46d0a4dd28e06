package main

import "testing"

func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"plain": "plain", "Zürich 北京": "Zürich 北京", `a"b`: `a"b`, "": "",
		"\x1b]0;pwned\a": `\x1b]0;pwned\a`, "line\nbreak": `line\nbreak`, "csi\u009b2J": `csi\u009b2J`,
	} {
		if got := printable(name); got != want {
			t.Errorf("%q is printed as %q, want %q", name, got, want)
		}
	}
}
