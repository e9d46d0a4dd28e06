package graph500

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// Version is the version of hops that is running: a release, or the commit it
// was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	version := "devel"
	if commit := settings["vcs.revision"]; commit != "" {
		version += "-" + commit[:min(12, len(commit))]
	}
	if settings["vcs.modified"] == "true" {
		version += "+changes"
	}
	return version
}

// peakResident is the most memory that this process has had, in bytes, or 0
// where the system does not tell. (getrusage would tell the parent's, if that
// was larger.)
func peakResident() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10
		}
	}
	return 0
}
