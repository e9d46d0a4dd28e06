package spec

import (
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	table := func() []Option {
		var policy, direction, exchange, devices string
		var parts int
		return []Option{
			Choice("policy", "", &policy, "auto", "fast").Excludes("direction", "every level has that direction"),
			Choice("direction", "", &direction, "auto", "up", "down"),
			Choice("exchange", "", &exchange, "auto", "copies").Needs("one part sends nothing", "parts", "devices=all"),
			Choice("devices", "", &devices, "one", "two", "all"),
			Int("parts", "", &parts, 2, 64).Excludes("devices=two", "two devices have a part each"),
		}
	}
	for text, want := range map[string][]string{
		"e:policy=fast":                 nil,
		"e:direction=up":                nil,
		"e:policy=auto,direction=up":    nil, // auto is the default
		"e:direction=up,policy=fast":    {"policy", "direction", "every level"},
		"e:exchange=copies":             {"exchange", "parts or devices=all", "one part"},
		"e:exchange=copies,devices=two": {"exchange", "parts or devices=all"},
		"e:exchange=copies,devices=all": nil,
		"e:exchange=copies,parts=3":     nil,
		"e:parts=3,devices=two":         {"parts", "devices=two"},
		"e:parts=3,devices=all":         nil,
		"e:exchange=auto,parts=2":       nil,
		"e:devices=one,exchange=copies": {"exchange", "without"},
	} {
		s, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Bind(table())
		if want == nil && err != nil {
			t.Errorf("%s: %v", text, err)
		}
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v, want one with %q", text, err, part)
			}
		}
	}
}

// Every sample is accepted and is not the default.
func TestSamples(t *testing.T) {
	var o options
	for _, option := range o.table() {
		for _, value := range option.Samples() {
			if err := (Spec{"e", []Pair{{option.Name, value}}}).Bind([]Option{option}); err != nil || option.get() != value {
				t.Errorf("%s=%s: kept as %q, error %v", option.Name, value, option.get(), err)
			}
		}
	}
}
