package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// A writerFunc is a writer.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A measurement that is interrupted after its first search prints the bounds it has.
func TestDiameterInterrupted(t *testing.T) {
	input := inputFlags{ids: "auto", header: "auto"}
	g, err := input.load(t.Context(), "../../edge/format/testdata/real/florentine.csv", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var o diameterFlags
	o.stderr = writerFunc(func(p []byte) (int, error) {
		if strings.HasPrefix(string(p), "bounds ") {
			cancel()
		}
		return len(p), nil
	})
	var out bytes.Buffer
	err = o.find(ctx, g, nil, &out)
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(out.String(), "diameter    3 to 6\nradius      2 to 3\n") {
		t.Errorf("%v, prints\n%s", err, &out)
	}
	out.Reset()
	o.json = true
	if err = o.find(ctx, g, nil, &out); !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("nothing is known yet: %v, prints\n%s", err, &out)
	}
}
