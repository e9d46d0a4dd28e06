package graph500

import (
	"runtime/debug"
	"strings"
)

// Version is the version of hops that is running: a release, or the commit it
// was built from, with a note if the source had been changed since. Go records
// the commit in what it builds but not in what it runs at once, and then the
// version says that nobody knows.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Unversioned
	}
	return versionOf(info)
}

// Unversioned is the version of a program that was built without a record of its
// source, as go run and go test do.
const Unversioned = "devel, commit not recorded"

func versionOf(info *debug.BuildInfo) string {
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	version := "devel"
	if v := info.Main.Version; v != "" && v != "(devel)" && !strings.HasPrefix(v, "v0.0.0-") {
		version, _, _ = strings.Cut(v, "+dirty")
	}
	switch {
	case commit == "" && version == "devel":
		return Unversioned
	case commit == "": // built from the module cache, which has releases only
		return version
	}
	version += ", commit " + commit[:min(12, len(commit))]
	if day, _, ok := strings.Cut(settings["vcs.time"], "T"); ok {
		version += " of " + day
	}
	if settings["vcs.modified"] == "true" {
		version += " with changes"
	}
	return version
}
