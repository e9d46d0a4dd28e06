package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// The schemas in testdata are those of the projects that define the formats:
// cff-1.2.0 is schema.json of citation-file-format; mpijob-v2beta1 is the
// openAPIV3Schema of kubeflow.org_mpijobs.yaml of mpi-operator without its descriptions.
func readSchema(t *testing.T, name string) any {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(z)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// compileSchema compiles a schema, with others that it refers to by their addresses.
func compileSchema(t *testing.T, schema any, others map[string]any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	others["file:///schema.json"] = schema
	for at, other := range others {
		if err := c.AddResource(at, other); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile("file:///schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// strict makes objects with listed fields refuse others, as kubectl does.
func strict(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if _, ok := s["properties"].(map[string]any); ok && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
		for _, v := range s {
			strict(v)
		}
	case []any:
		for _, v := range s {
			strict(v)
		}
	}
}

// yamlValue is a YAML text as the value that JSON would give.
func yamlValue(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	result, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// conforms checks a text against a schema, and that the schema notices a fault.
func conforms(t *testing.T, s *jsonschema.Schema, text []byte, right, wrong string) {
	t.Helper()
	if err := s.Validate(yamlValue(t, text)); err != nil {
		t.Error(err)
	}
	faulty := bytes.Replace(text, []byte(right), []byte(wrong), 1)
	if bytes.Equal(text, faulty) || s.Validate(yamlValue(t, faulty)) == nil {
		t.Errorf("the schema does not notice %q instead of %q", wrong, right)
	}
}

// recipes checks the files for package managers and clusters as far as that can be done
// without them.
func (r testRelease) recipes() {
	job, err := os.ReadFile(r.file("mpijob.yaml"))
	if err != nil {
		r.Fatal(err)
	}
	schema := readSchema(r.T, "mpijob-v2beta1.schema.json.gz")
	strict(schema)
	conforms(r.T, compileSchema(r.T, schema, map[string]any{}), job, "slotsPerWorker", "slotsPerWorkers")
	command(r.T, "", "bash", "-n", r.file("hops.slurm"))
	for name, check := range map[string][]string{"hops.rb": {"ruby", "-c"}, "package.py": {"python3", "-m", "py_compile"}} {
		content, err := os.ReadFile(r.file(name))
		if err != nil || !strings.Contains(string(content), testVersion) {
			r.Errorf("%s does not name the version: %v", name, err)
		}
		if check[0] == "ruby" && !*full {
			continue // too large a package for the sake of this check alone
		}
		command(r.T, r.TempDir(), check[0], append(check[1:], r.file(name))...)
	}
	spack, _ := os.ReadFile(r.file("package.py"))
	source, err := os.ReadFile(r.file("hops-VERSION.tar.gz"))
	if err != nil || !strings.Contains(string(spack), digest(source)) {
		r.Error("the recipe of Spack does not have the sum of the source:", err)
	}
}

// bill checks the bill of materials against the schema of its format, which comes with the
// library that writes it.
func (r testRelease) bill() {
	dir := strings.TrimSpace(command(r.T, "", "go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go"))
	schemas := map[string]any{}
	for _, name := range []string{"bom-1.6.schema.json", "spdx.schema.json", "jsf-0.82.schemax.json"} {
		f, err := os.Open(filepath.Join(dir, "schema", name))
		if err != nil {
			r.Fatal(err)
		}
		defer f.Close()
		at := "http://cyclonedx.org/schema/" + strings.Replace(name, "schemax", "schema", 1)
		if schemas[at], err = jsonschema.UnmarshalJSON(f); err != nil {
			r.Fatal(err)
		}
	}
	bill, err := os.ReadFile(r.file("hops-VERSION.cdx.json"))
	if err != nil {
		r.Fatal(err)
	}
	schema := map[string]any{"$ref": "http://cyclonedx.org/schema/bom-1.6.schema.json"}
	conforms(r.T, compileSchema(r.T, schema, schemas), bill, `"type": "library"`, `"type": "book"`)
	for _, part := range []string{"pkg:golang/github.com/spf13/cobra@v", "pkg:golang/std@1.", "pkg:golang/github.com/gohops/hops@v" + testVersion} {
		if !strings.Contains(string(bill), part) {
			r.Errorf("the bill does not list %s", part)
		}
	}
}

// CITATION.cff has the form that citation managers read.
func TestCitation(t *testing.T) {
	text, err := os.ReadFile("../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	conforms(t, compileSchema(t, readSchema(t, "cff-1.2.0.schema.json.gz"), map[string]any{}), text, "authors:", "writers:")
}
