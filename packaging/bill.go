package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

// bill writes the bill of materials of the program for this machine: the modules that the
// go command recorded in it. Other platforms have the same ones or fewer.
func (r *release) bill(context.Context) error {
	info, err := buildinfo.Read(bytes.NewReader(r.programs[host()]))
	if err != nil {
		return err
	}
	self := component(cyclonedx.ComponentTypeApplication, info.Main.Path, "v"+r.version, "")
	parts := []cyclonedx.Component{component(cyclonedx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		parts = append(parts, moduleComponent(m))
	}
	needs := []string{}
	for _, p := range parts {
		needs = append(needs, p.BOMRef)
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.time.Format("2006-01-02T15:04:05Z"), Component: &self}
	bom.Components = &parts
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: self.BOMRef, Dependencies: &needs}}
	var b bytes.Buffer
	if err := cyclonedx.NewBOMEncoder(&b, cyclonedx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cyclonedx.SpecVersion1_6); err != nil {
		return err
	}
	return r.write(fmt.Sprintf("hops-%s.cdx.json", r.version), b.Bytes())
}

func moduleComponent(m *debug.Module) cyclonedx.Component {
	if m.Replace != nil {
		m = m.Replace
	}
	return component(cyclonedx.ComponentTypeLibrary, m.Path, m.Version, m.Sum)
}

func component(kind cyclonedx.ComponentType, path, version, sum string) cyclonedx.Component {
	purl := "pkg:golang/" + path + "@" + version
	c := cyclonedx.Component{Type: kind, BOMRef: purl, Name: path, Version: version, PackageURL: purl}
	if sum != "" {
		c.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: sum}}
	}
	return c
}
