package lint

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// A pattern is a form of sentence in comments that readers stumble over.
type pattern struct {
	form    *regexp.Regexp
	instead string
}

// patterns are matched against the sentences of a comment, each on one line.
var patterns = []pattern{
	{regexp.MustCompile(`^(Who|Whom|Whoever|Whatever)\b`), "begin with the noun: a worker that sleeps"},
	{regexp.MustCompile(`^(What|Which)\b[^?]*[^?]$`), "begin with the noun: the entries beyond the bound"},
	{regexp.MustCompile(`\b[Ww]hoever\b`), "name the thing: any rank that"},
	{regexp.MustCompile(`\b([Tt]hose|that) of$`), "repeat the noun"},
	{regexp.MustCompile(`^\w+ (is|are) (that|those) of\b`), "repeat the noun: label is the label of the vertex"},
	{regexp.MustCompile(`\ball of that where\b`), "name what is meant"},
}

// plainRooms are the folders whose comments have none of these forms.
var plainRooms = []string{"sssp/", "engine/cluster/", "engine/grid/", "engine/many/", "internal/ranks/", "query/", "report/"}

// sentences reports the opaque sentences in the comments of a file.
func (c *checker) sentences(f file) {
	inside := func(room string) bool { return strings.HasPrefix(f.path, room) }
	for _, room := range plainRooms {
		if !f.test() && inside(room) {
			for _, group := range f.ast.Comments {
				c.opaque(f, group)
			}
		}
	}
}

func (c *checker) opaque(f file, group *ast.CommentGroup) {
	for _, sentence := range sentencesOf(group.Text()) {
		if instead := stumbles(sentence); instead != "" {
			c.report(f.at(group.Pos()), "says %q; %s", sentence, instead)
		}
	}
}

// sentencesOf cuts a comment into sentences. An empty line, the item of a list and an indented line
// end a sentence, too.
func sentencesOf(text string) (all []string) {
	text = regexp.MustCompile(`\n(\n|\s*(?:\d+\.|-)\s)`).ReplaceAllString(text, ".\n")
	for _, s := range regexp.MustCompile(`[.:]\s`).Split(text+" ", -1) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// stumbles returns what to write instead of a sentence, or "" if it is plain.
func stumbles(sentence string) string {
	for _, p := range patterns {
		if p.form.MatchString(sentence) {
			return p.instead
		}
	}
	return ""
}

func TestSentences(t *testing.T) {
	for text, opaque := range map[string]bool{
		"Who sleeps counts itself before the value is looked at.":          true,
		"A wait.\nWhich these are no one can predict, so all are copied.":  true,
		"What leads to a hub stands elsewhere.":                            true,
		"Whoever takes part\nwrites what it replies.":                      true,
		"A worker waits, and whoever is done helps.":                       true,
		"label is that of the vertex.":                                     true,
		"corrections are those of one step.":                               true,
		"It takes its own words and then those of.":                        true,
		"Steps:\n\n 1. What leads away is an offer.\n 2. Small bins wait.": true,
		"Which step comes next?":                                           false,
		"A sleeper increments asleep, then reads value.":                   false,
		"whose says which owner has each label.":                           false,
		"The rank that has what is left goes on.":                          false,
		"label is the label of the vertex.":                                false,
	} {
		found := false
		for _, s := range sentencesOf(text) {
			found = found || stumbles(s) != ""
		}
		if found != opaque {
			t.Errorf("%q: opaque %v, want %v", text, found, opaque)
		}
	}
}
