//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode"
)

// errorf reports a failure together with the command.
func (x *soakCase) errorf(format string, args ...any) {
	x.t.Helper()
	message := fmt.Sprintf(format, args...)
	lines := strings.Split(strings.TrimSpace(message), "\n")
	x.c["FAILED "+x.last[0]+": "+withoutNumbers(lines[len(lines)-1])]++
	message = fmt.Sprintf("%s\nhops %s\n%s", x.about, shellWords(x.last), message)
	if *soakTime > 0 {
		fmt.Printf("soak: %s\n%s\n", x.t.Name(), message) // now, not when all is over
	}
	x.t.Error(message)
}

// withoutNumbers is the beginning of a message without its digits, so that messages can be counted.
func withoutNumbers(message string) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, message)
	return text[:min(len(text), 70)]
}

// shellWords is a command that can be pasted into a shell.
func shellWords(args []string) string {
	var all []string
	for _, a := range args {
		all = append(all, "'"+strings.ReplaceAll(a, "'", `'\''`)+"'")
	}
	return strings.Join(all, " ")
}

// same compares an answer with that of the oracle.
func (x *soakCase) same(what string, got, want any) bool {
	x.t.Helper()
	x.c["comparisons"]++
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		x.errorf("%s: %.300s, want %.300s", what, g, w)
		return false
	}
	return true
}

// near compares figures that may differ by rounding.
func (x *soakCase) near(what string, got, want, within float64) bool {
	x.t.Helper()
	x.c["comparisons"]++
	if got != want && !(math.Abs(got-want) <= within*max(1e-300, math.Abs(want))) {
		x.errorf("%s: %v, want %v", what, got, want)
		return false
	}
	return true
}

// object reads an answer in JSON. Numbers stay as they are written.
func (x *soakCase) object(out string, into any) bool {
	d := json.NewDecoder(strings.NewReader(out))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		x.errorf("%v in %.200s", err, out)
		return false
	}
	return true
}
