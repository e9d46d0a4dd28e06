package graph500

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	vcs := func(kv ...string) (s []debug.BuildSetting) {
		for i := 0; i < len(kv); i += 2 {
			s = append(s, debug.BuildSetting{Key: "vcs." + kv[i], Value: kv[i+1]})
		}
		return s
	}
	for _, c := range []struct {
		main     string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", nil, "v1.2.3"},
		{"v1.2.3", vcs("revision", "0123456789abcdef", "time", "2024-05-06T07:08:09Z", "modified", "false"), "v1.2.3, commit 0123456789ab of 2024-05-06"},
		{"v1.2.3+dirty", vcs("revision", "0123456789abcdef", "modified", "true"), "v1.2.3, commit 0123456789ab with changes"},
		{"(devel)", nil, Unversioned},
		{"", nil, Unversioned},
		{"(devel)", vcs("revision", "0123456789abcdef", "time", "2024-05-06T07:08:09Z", "modified", "false"), "devel, commit 0123456789ab of 2024-05-06"},
		{"v0.0.0-20240506070809-0123456789ab+dirty", vcs("revision", "0123456789abcdef", "modified", "true"), "devel, commit 0123456789ab with changes"},
		{"", vcs("revision", "0123"), "devel, commit 0123"},
	} {
		if got := versionOf(&debug.BuildInfo{Main: debug.Module{Version: c.main}, Settings: c.settings}); got != c.want {
			t.Errorf("%q %v: %q, want %q", c.main, c.settings, got, c.want)
		}
	}
}
