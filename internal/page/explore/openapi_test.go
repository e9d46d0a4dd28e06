package explore

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An openAPI is the embedded description, as far as the test reads it.
type openAPI struct {
	document map[string]any
	t        *testing.T
}

// at follows keys of objects, and references.
func (o openAPI) at(v any, keys ...string) any {
	o.t.Helper()
	for _, key := range keys {
		object, ok := o.follow(v).(map[string]any)
		if !ok {
			o.t.Fatalf("there is no %s in %v", key, v)
		}
		v = object[key]
	}
	return o.follow(v)
}

func (o openAPI) follow(v any) any {
	if object, ok := v.(map[string]any); ok {
		if ref, ok := object["$ref"].(string); ok {
			return o.at(o.document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
		}
	}
	return v
}

// conforms reports where a value does not have the form of a schema.
func (o openAPI) conforms(where string, schema, value any) {
	o.t.Helper()
	s := o.follow(schema).(map[string]any)
	ok := true
	switch s["type"] {
	case "object":
		var object map[string]any
		if object, ok = value.(map[string]any); !ok {
			break
		}
		properties := s["properties"].(map[string]any)
		for _, key := range s["required"].([]any) {
			if _, there := object[key.(string)]; !there {
				o.t.Errorf("%s: %s is missing", where, key)
			}
		}
		for key, v := range object {
			if properties[key] == nil {
				o.t.Errorf("%s: %s is not described", where, key)
				continue
			}
			o.conforms(where+"."+key, properties[key], v)
		}
	case "array":
		var all []any
		if all, ok = value.([]any); !ok {
			break
		}
		for i, v := range all {
			o.conforms(fmt.Sprintf("%s[%d]", where, i), s["items"], v)
		}
	case "string":
		var text string
		text, ok = value.(string)
		if pattern, has := s["pattern"].(string); ok && has {
			ok = regexp.MustCompile(pattern).MatchString(text)
		}
	case "boolean":
		_, ok = value.(bool)
	case "integer":
		var n float64
		n, ok = value.(float64)
		ok = ok && n == float64(int64(n))
	default:
		o.t.Errorf("%s: type %v", where, s["type"])
	}
	if !ok {
		o.t.Errorf("%s: %v is no %v", where, value, s["type"])
	}
}

// The description has the routes of the server and no others, the parameters that they
// take with their bounds, and the form of their answers.
func TestOpenAPI(t *testing.T) {
	content, err := files.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	o := openAPI{t: t}
	if err := json.Unmarshal(content, &o.document); err != nil {
		t.Fatal(err)
	}
	if o.document["openapi"] != "3.1.0" {
		t.Errorf("version %v", o.document["openapi"])
	}
	_, h := handlerOf(t, Options{}, Graph{"hostile", hostileGraph(t)}, Graph{"k", kronecker(t, 8)}, Graph{"arrows", arrows(t)})
	described := o.document["paths"].(map[string]any)
	answers := map[string][]string{
		"/api/graphs": {""},
		"/api/names":  {"typed=c", "graph=k&typed=1", ""},
		"/api/around": {"vertex=center", "graph=k&vertex=1&hops=3&limit=20&expand=1", "graph=arrows&vertex=0&direction=in"},
		"/api/path":   {"from=center&to=", "graph=k&from=1&to=2"},
		"/api/paths":  {"from=center&to=", "graph=k&from=1&to=2"},
		"/api/levels": {"vertex=center"},
	}
	for _, r := range routes {
		get := o.at(described, r.path, "get").(map[string]any)
		var names []string
		for _, p := range get["parameters"].([]any) {
			name := o.at(p, "name").(string)
			names = append(names, name)
			o.bounds(h, r.path, name, o.at(p, "schema").(map[string]any))
		}
		slices.Sort(names)
		if known := slices.Sorted(slices.Values(r.params)); !slices.Equal(names, known) {
			t.Errorf("%s: %v are described, %v are known", r.path, names, known)
		}
		schema := func(status string) any {
			return o.at(get, "responses", status, "content", "application/json", "schema")
		}
		for _, query := range answers[r.path] {
			var value any
			askHandler(t, h, r.path+"?"+query, 200, &value)
			o.conforms(r.path+"?"+query, schema("200"), value)
		}
		if len(answers[r.path]) == 0 {
			t.Errorf("%s: no answer is compared", r.path)
		}
		var refused any
		askHandler(t, h, r.path+"?nonsense=1", 400, &refused)
		o.conforms(r.path, schema("400"), refused)
	}
	for path := range described {
		if !slices.ContainsFunc(routes, func(r route) bool { return r.path == path }) {
			askHandler(t, h, path, 200, nil)
		}
	}
}

// needed makes requests whole, but for the parameter that is tried.
var needed = map[string]string{"/api/around": "vertex=1", "/api/path": "from=1&to=2", "/api/paths": "from=1&to=2", "/api/levels": "vertex=1"}

// bounds tries the least and the greatest value of a parameter, and the ones beyond.
func (o openAPI) bounds(h http.Handler, path, name string, schema map[string]any) {
	o.t.Helper()
	lo, numeric := schema["minimum"].(float64)
	hi, _ := schema["maximum"].(float64)
	if !numeric || strings.HasSuffix(name, idSuffix) { // numbers of vertices depend on the graph
		return
	}
	for value, want := range map[float64]int{lo: 200, hi: 200, lo - 1: 400, hi + 1: 400} {
		askHandler(o.t, h, fmt.Sprintf("%s?graph=k&%s&%s=%.0f", path, needed[path], name, value), want, nil)
	}
	if preset, ok := schema["default"].(float64); !ok || preset < lo || preset > hi {
		o.t.Errorf("%s: %s has the default %v", path, name, schema["default"])
	}
}
