package main

import (
	"context"
	"encoding/json"
	"fmt"
)

// blob names a file of an image by its content, as the OCI image format does.
type blob struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// A layout collects the blobs of an image.
type layout struct{ entries []entry }

func (l *layout) add(mediaType string, content []byte) blob {
	sum := digest(content)
	l.entries = append(l.entries, entry{"blobs/sha256/" + sum, 0o644, content})
	return blob{MediaType: mediaType, Digest: "sha256:" + sum, Size: len(content)}
}

func (l *layout) addJSON(mediaType string, value any) (blob, error) {
	content, err := json.Marshal(value)
	return l.add(mediaType, content), err
}

const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// image writes an OCI image layout in a tar file, with the static program of each
// processor and nothing else. podman load, skopeo and crane take it.
func (r *release) image(context.Context) error {
	l, manifests := &layout{}, []blob{}
	err := r.each(func(p platform, program []byte) error {
		if p.system != "linux" || !p.static {
			return nil
		}
		m, err := r.imageOf(l, p, program)
		manifests = append(manifests, m)
		return err
	})
	if err != nil || len(manifests) == 0 {
		return err
	}
	index, err := l.addJSON(indexType, map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": manifests})
	if err != nil {
		return err
	}
	index.Annotations = map[string]string{"org.opencontainers.image.ref.name": r.version}
	top, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": []blob{index}})
	if err != nil {
		return err
	}
	l.entries = append(l.entries, entry{"index.json", 0o644, top}, entry{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)})
	sortEntries(l.entries)
	content, err := tarred(l.entries, r.time)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("hops-%s-image.tar", r.version), content)
}

// imageOf adds the image for one processor and returns its manifest.
func (r *release) imageOf(l *layout, p platform, program []byte) (blob, error) {
	files := []entry{
		{"etc/passwd", 0o644, []byte("hops:x:1000:1000::/work:/bin/false\n")},
		{"usr/bin/hops", 0o755, program},
		{"work/.keep", 0o644, nil},
	}
	tree, err := tarred(files, r.time)
	if err != nil {
		return blob{}, err
	}
	layer := l.add(layerType, gzipped(tree))
	config, err := l.addJSON(configType, map[string]any{
		"created": r.time, "os": p.system, "architecture": p.arch,
		"config": map[string]any{
			"Entrypoint": []string{"/usr/bin/hops"}, "User": "1000:1000", "WorkingDir": "/work",
			"Labels": map[string]string{
				"org.opencontainers.image.version": r.version, "org.opencontainers.image.revision": r.hash,
				"org.opencontainers.image.source": homepage, "org.opencontainers.image.licenses": "Apache-2.0",
			},
		},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + digest(tree)}},
	})
	if err != nil {
		return blob{}, err
	}
	m, err := l.addJSON(manifestType, map[string]any{"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": []blob{layer}})
	m.Platform = map[string]string{"os": p.system, "architecture": p.arch}
	return m, err
}
