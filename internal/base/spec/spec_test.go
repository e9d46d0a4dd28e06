package spec

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// options stands for an engine's Options.
type options struct {
	Threads int
	Alpha   float64
	Hints   bool
	Order   string
	Shape   string
}

func (o *options) table() []Option {
	return []Option{
		Int("threads", "workers", &o.Threads, 1, 4096),
		Float("alpha", "when to switch", &o.Alpha, 0, 1000),
		Switch("hints", "give hints", &o.Hints),
		Choice("order", "of rows", &o.Order, "degree", "label"),
		Text("shape", "RxC", "of a grid", &o.Shape, func(s string) error {
			if !strings.Contains(s, "x") {
				return errors.New("want RxC")
			}
			return nil
		}),
	}
}

func TestBind(t *testing.T) {
	s, err := Parse("cpu:threads=2,alpha=1.5,hints=on,order=label,shape=2x3")
	if err != nil {
		t.Fatal(err)
	}
	var got options
	if err := s.Bind(got.table()); err != nil {
		t.Fatal(err)
	}
	want := options{2, 1.5, true, "label", "2x3"}
	if diff := cmp.Diff(want, got); diff != "" || s.Name != "cpu" {
		t.Errorf("name %q, options (-want +got):\n%s", s.Name, diff)
	}
}

func TestDefaultsAreNotPrinted(t *testing.T) {
	for in, want := range map[string]string{
		"cpu":                               "cpu",
		"cpu:hints=off,order=degree":        "cpu",
		"cpu:order=label,threads=3":         "cpu:threads=3,order=label",
		"cpu:alpha=0.10,hints=on,threads=1": "cpu:threads=1,alpha=0.1,hints=on",
	} {
		s, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		var o options
		if err := s.Bind(o.table()); err != nil {
			t.Fatal(err)
		}
		if got := Of("cpu", o.table()).String(); got != want {
			t.Errorf("%q prints as %q, want %q", in, got, want)
		}
	}
}

func TestErrorsSayWhatIsWanted(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "no name",
		":threads=2":             "no name",
		"cpu:":                   "key=value",
		"cpu:threads":            "key=value",
		"cpu:threads=":           "key=value",
		"cpu:=2":                 "key=value",
		"cpu:threads=2,":         "key=value",
		"cpu:threads=2,threads=": "key=value",
		"cpu:hints=on,hints=off": "twice",
		"cpu:threads=zwei":       "whole number from 1 to 4096",
		"cpu:threads=0":          "whole number from 1 to 4096",
		"cpu:threads=1e3":        "whole number",
		"cpu:alpha=NaN":          "number from 0 to 1000",
		"cpu:alpha=-1":           "number from 0 to 1000",
		"cpu:hints=maybe":        "on or off",
		"cpu:order=random":       "degree, label",
		"cpu:shape=2":            "want RxC",
		"cpu:colour=red":         "threads, alpha, hints, order, shape",
	} {
		var o options
		s, err := Parse(in)
		if err == nil {
			err = s.Bind(o.table())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", in, err, want)
		}
	}
}

func TestNoOptionsAtAll(t *testing.T) {
	s := Spec{Name: "serial", Options: []Pair{{"threads", "2"}}}
	if err := s.Bind(nil); err == nil || !strings.Contains(err.Error(), "no options") {
		t.Errorf("error %v", err)
	}
}

// What is printed means what it was printed from.
func TestOptionsSurvivePrinting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := options{
			Threads: rapid.IntRange(0, 4096).Draw(t, "threads"),
			Alpha:   rapid.Float64Range(0, 1000).Draw(t, "alpha"),
			Hints:   rapid.Bool().Draw(t, "hints"),
			Order:   rapid.SampledFrom([]string{"", "label"}).Draw(t, "order"),
			Shape:   rapid.SampledFrom([]string{"", "2x3"}).Draw(t, "shape"),
		}
		text := Of("cpu", want.table()).String()
		s, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got options
		if err := s.Bind(got.table()); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("%+v became %+v by way of %q", want, got, text)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("cpu:threads=2,order=label")
	f.Add("a:b==,=c")
	f.Fuzz(func(t *testing.T, in string) {
		s, err := Parse(in)
		if err != nil {
			return
		}
		if s.String() != in {
			t.Fatalf("%q prints as %q", in, s)
		}
	})
}

func TestList(t *testing.T) {
	var plan []string
	table := []Option{List("plan", "of steps", &plan)}
	s, err := Parse("adaptive:plan=TC+BG+BG")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Bind(table); err != nil || len(plan) != 3 || plan[1] != "BG" {
		t.Errorf("%v, error %v", plan, err)
	}
	if got := Of("adaptive", table).String(); got != "adaptive:plan=TC+BG+BG" {
		t.Errorf("prints as %s", got)
	}
	if err := (Spec{"adaptive", []Pair{{"plan", "TC++BG"}}}).Bind(table); err == nil {
		t.Error("a plan with a hole was accepted")
	}
	plan = nil
	if got := Of("adaptive", table).String(); got != "adaptive" {
		t.Errorf("the default prints as %s", got)
	}
}
