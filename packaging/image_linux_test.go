package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A manifest is what this test reads of the image's JSON files.
type manifest struct {
	Manifests, Layers []blob
	Config            json.RawMessage
}

// image checks the digests of the image, unpacks it, and runs it by runc as an ordinary
// container. Where runc may not make one, the program is run in the image's root alone.
func (r testRelease) image() {
	dir, bundle := r.TempDir(), r.TempDir()
	command(r.T, dir, "tar", "-xf", r.file("hops-VERSION-image.tar"))
	r.digests(dir)
	var top, index, image manifest
	r.readJSON(filepath.Join(dir, "index.json"), &top)
	r.readJSON(r.blob(dir, top.Manifests[0]), &index)
	at := slices.IndexFunc(index.Manifests, func(b blob) bool { return b.Platform["architecture"] == runtime.GOARCH })
	if at < 0 {
		r.Fatalf("the image has no %s: %v", runtime.GOARCH, index)
	}
	r.readJSON(r.blob(dir, index.Manifests[at]), &image)
	var config struct{ Config struct{ Entrypoint []string } }
	var place blob
	if err := json.Unmarshal(image.Config, &place); err != nil {
		r.Fatal(err)
	}
	r.readJSON(r.blob(dir, place), &config)
	root := filepath.Join(bundle, "rootfs")
	makeFolder(r.T, root)
	command(r.T, root, "tar", "-xzf", r.blob(dir, image.Layers[0]))
	isStatic(r.T, filepath.Join(root, config.Config.Entrypoint[0]))
	works(r.T, func(args ...string) string {
		args = append(config.Config.Entrypoint, args...)
		if out, err := r.container(bundle, args); err == nil {
			return out
		} else {
			r.Logf("runc makes no container here, so the program runs in the image's root without one: %v\n%s", err, out)
		}
		return runIn(r.T, root, args[0], args[1:]...)
	})
}

// container runs a command by runc, without a network and with the image read-only.
func (r testRelease) container(bundle string, args []string) (string, error) {
	file := filepath.Join(bundle, "config.json")
	_ = os.Remove(file)
	command(r.T, bundle, "runc", "spec", "--rootless")
	var spec map[string]any
	r.readJSON(file, &spec)
	process := spec["process"].(map[string]any)
	process["terminal"], process["args"] = false, args
	content, err := json.Marshal(spec)
	if err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		r.Fatal(err)
	}
	cmd := exec.Command("runc", "--root", r.TempDir(), "run", "--bundle", bundle, "hops-test")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// digests checks that each blob has the digest that is its name.
func (r testRelease) digests(dir string) {
	blobs, err := filepath.Glob(filepath.Join(dir, "blobs/sha256/*"))
	if err != nil || len(blobs) < 4 {
		r.Fatal(len(blobs), "blobs:", err)
	}
	for _, file := range blobs {
		if sum := command(r.T, "", "sha256sum", file); !strings.HasPrefix(sum, filepath.Base(file)) {
			r.Errorf("%s has the digest %s", file, sum)
		}
	}
}

func (r testRelease) blob(dir string, b blob) string {
	algorithm, sum, _ := strings.Cut(b.Digest, ":")
	return filepath.Join(dir, "blobs", algorithm, sum)
}

func (r testRelease) readJSON(file string, value any) {
	r.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		r.Fatal(err)
	}
	if err := json.Unmarshal(content, value); err != nil {
		r.Fatalf("%s: %v", file, err)
	}
}
