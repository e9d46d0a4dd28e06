package format

import (
	"context"
	"fmt"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/par"
)

// An IDKind says what the names of vertices are in an edge list.
type IDKind int

const (
	// IntIDs are numbers from 0 to 2⁶⁴-1, with or without gaps.
	IntIDs IDKind = iota
	// TextIDs are any text.
	TextIDs
)

// A Header says whether the first line of an edge list names its columns.
type Header int

const (
	// AutoHeader takes the first line of a file with a delimiter for a header if
	// both names ought to be numbers and neither is.
	AutoHeader Header = iota
	// WithHeader skips the first line that is not a comment.
	WithHeader
	// NoHeader takes every line for an edge.
	NoHeader
)

// NoComments as Options.Comment means that no line is a comment.
const NoComments = "none"

// Options say how a file is to be read. The zero value finds out.
type Options struct {
	// Format is one of Names, or "" to go by name and content.
	Format string
	// IDs, Columns, Header, Delimiter and Comment are for edge lists.
	IDs IDKind
	// Columns are those of the two ends of an edge and perhaps of its weight:
	// numbers from 1 on, or names in the header. Others are ignored then.
	Columns []string
	Header  Header
	// Delimiter separates columns: ' ' is any run of spaces and tabs, any other
	// character separates alone, and 0 finds out.
	Delimiter byte
	// Comment is how a line to be skipped begins. "" stands for # and %.
	Comment string
	// Directed is a wish for formats that do not say.
	Directed bool
	// DropWeights checks weights but does not keep them: 4 bytes an edge less,
	// except in formats that have each edge twice.
	DropWeights bool

	// Threads is how many parse the file, one for each CPU if it is 0.
	Threads int
	// Progress, if not nil, is called now and then, from the goroutine that
	// called Open, with the bytes of the file read so far; total is 0 if it is
	// not known.
	Progress func(done, total int64)

	team       *par.Team // of these threads
	blockBytes int       // for tests: how much text is parsed at a time
	// fits and memoryStep are for tests: an error if so many bytes cannot be
	// allocated, and how often that is asked.
	fits       func(bytes int64) error
	memoryStep int64
}

// An Input is a graph as its file has it.
type Input struct {
	// Source is the list of edges in the order of the file, with vertices
	// numbered from 0. It is a hops.WeightedSource if the file has weights.
	Source hops.Source
	// Names is what the file calls the vertices; nil if it numbers them as the
	// Source does.
	Names *graph.Names
	// Directed tells whether an edge leads from its first end to its second
	// only, and DirectedBy who said so.
	Directed   bool
	DirectedBy string
	// Format is what the file was taken for, in words.
	Format string

	close func() error
}

// Who said whether a graph is directed.
const (
	ByFormat  = "the format says so"
	ByFlag    = "--directed"
	ByDefault = "default"
)

// Close releases the memory and the files of the Source. Names stay valid.
func (in *Input) Close() error {
	if in.close == nil {
		return nil
	}
	return in.close()
}

// undecided sets the direction of a graph whose format does not say.
func (in *Input) undecided(wish bool) {
	in.Directed, in.DirectedBy = wish, ByDefault
	if wish {
		in.DirectedBy = ByFlag
	}
}

// A reader reads one format from an opened file.
type reader func(ctx context.Context, f *file, opts *Options) (*Input, error)

// formats is all of them. Suffixes are those of a name without .gz or .zst.
var formats = []struct {
	name     string
	suffixes []string
	read     reader
}{
	{"edges", []string{".el", ".wel", ".txt", ".edges", ".ncol", ".csv", ".tsv"}, readEdgeList},
	{"mtx", []string{".mtx"}, readMatrix},
	{"metis", []string{".graph", ".metis"}, readMetis},
	{"gr", []string{".gr"}, readDimacs},
	{"graphalytics", []string{".v", ".e"}, readGraphalytics},
	{"sg", []string{".sg", ".wsg"}, readSerialized},
	{"packed", []string{".packed"}, readPacked},
}

// Names returns the names of the formats.
func Names() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Open reads the graph in the file of the given name; "-" is standard input. The
// caller closes the Input. An error about what the file holds is an *Error.
func Open(ctx context.Context, name string, opts Options) (*Input, error) {
	f, err := openFile(name, opts.Progress)
	if err != nil {
		return nil, err
	}
	defer f.close()
	return f.read(ctx, opts)
}

func (f *file) read(ctx context.Context, opts Options) (*Input, error) {
	opts.team = par.NewTeam(opts.Threads, nil)
	defer opts.team.Close()
	if opts.fits != nil {
		f.fits, f.memoryStep = opts.fits, opts.memoryStep
	}
	read, err := choose(f, opts.Format)
	if err != nil {
		return nil, err
	}
	in, err := read(ctx, f, &opts)
	if err != nil {
		return nil, f.explain(ctx, err)
	}
	return in, nil
}

// choose returns the reader for a file.
func choose(f *file, format string) (reader, error) {
	if format == "" {
		var err error
		if format, err = detect(f); err != nil {
			return nil, err
		}
	}
	for _, known := range formats {
		if known.name == format {
			return known.read, nil
		}
	}
	return nil, fmt.Errorf("format: unknown format %q; there are %s", format, strings.Join(Names(), ", "))
}
