package format

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gohops/hops"
	"github.com/gohops/hops/graph"
	"github.com/gohops/hops/internal/base/par"
)

// An IDKind says what the names of vertices are in an edge list.
type IDKind int

const (
	// AutoIDs are numbers or text: the first lines of the file decide.
	AutoIDs IDKind = iota
	// IntIDs are numbers from 0 to 2⁶⁴-1, with or without gaps.
	IntIDs
	// TextIDs are any text.
	TextIDs
)

// A Header says whether the first line of an edge list names its columns.
type Header int

const (
	// AutoHeader takes the first line for a header if names are numbers and neither
	// of its own is one; or if they are text, it looks like a header, and no other
	// line of the file has these names.
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
	// IsEdge, if not nil, is given the ends in a first line that would be skipped, and tells
	// that it is an edge whatever Header says.
	IsEdge func(from, to string) bool
	// Delimiter separates columns: ' ' is any run of spaces and tabs, any other
	// character separates alone, and 0 finds out.
	Delimiter byte
	// Comment is how a line to be skipped begins. "" stands for # and %.
	Comment string
	// SkipBadLines leaves lines out that are not edges, and counts them.
	SkipBadLines bool
	// Directed is for formats that do not say. A file that says otherwise is refused.
	Directed bool
	// DropWeights checks weights but does not keep them: 4 bytes an edge less,
	// except in formats that have each edge twice.
	DropWeights bool
	// NoNegativeWeights refuses weights below 0, which have no shortest paths.
	NoNegativeWeights bool

	// Threads is how many parse the file, one for each CPU if it is 0.
	Threads int
	// Progress, if not nil, is called now and then, from the goroutine that
	// called Open, with the bytes of the file read so far; total is 0 if it is
	// not known.
	Progress func(done, total int64)

	likely     bool      // the first line may be a header, although other lines have a name of it
	team       *par.Team // of these threads
	blockBytes int       // for tests: how much text is parsed at a time
	// fits and memoryStep are for tests: an error if so many bytes cannot be
	// allocated, and how often that is asked.
	fits       func(bytes int64) error
	memoryStep int64
}

// An Input is a graph as its file has it: Build makes a graph.Graph of it, Source lists its
// edges.
type Input struct {
	edges hops.Source // in the order of the file, without their direction; nil if Graph is not
	// Names is what the file calls the vertices; nil if it numbers them as the
	// Source does.
	Names *graph.Names
	// Graph is the finished graph in a graph file of hops; nil if the file holds
	// anything else.
	Graph *graph.Graph
	// Weighted tells whether the file has weights, kept or not.
	Weighted bool
	// BadLines is how many lines were left out, and BadExamples what is wrong with
	// the first of them.
	BadLines    int64
	BadExamples []string
	// Notes say what was done that nobody asked for: what was left out or rounded, and what may
	// be a header and was read as an edge.
	Notes []string
	// Directed tells whether an edge leads from its first end to its second
	// only, and DirectedBy who said so.
	Directed   bool
	DirectedBy string
	// Format is what the file was taken for, in words.
	Format string

	threads int // of the Options
	close   func() error
}

// The origins of the answer to whether a graph is directed.
const (
	ByFormat  = "the format says so"
	ByFlag    = "--directed"
	ByDefault = "default"
)

// Close releases the memory and the files of the Source. Names stay valid, and so do graphs
// that Build has returned.
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
	binary   bool // any bytes may be at its beginning
}{
	{"hops", nil, readGraphFile, false},
	{"edges", []string{".el", ".wel", ".txt", ".edges", ".ncol", ".csv", ".tsv"}, readEdgeList, false},
	{"mtx", []string{".mtx"}, readMatrix, false},
	{"metis", []string{".graph", ".metis"}, readMetis, false},
	{"gr", []string{".gr"}, readDimacs, false},
	{"graphalytics", []string{".v", ".e"}, readGraphalytics, false},
	{"graphml", []string{".graphml"}, documentReader("GraphML", parseGraphML), false},
	{"gml", []string{".gml"}, documentReader("GML", parseGML), false},
	{"dot", []string{".dot", ".gv"}, documentReader("DOT", parseDOT), false},
	{"pajek", []string{".net", ".paj"}, documentReader("Pajek", parsePajek), false},
	{"json", []string{".json"}, documentReader("JSON node-link", parseNodeLink), false},
	{"adjlist", []string{".adjlist", ".adj"}, documentReader("adjacency list", parseAdjacency), false},
	{"ntriples", []string{".nt", ".nq"}, documentReader("N-Triples", parseTriples), false},
	{"npy", []string{".npy"}, readNPY, true},
	{"bv", nil, readWebGraph, true},
	{"osm", []string{".pbf"}, readOSM, true},
	{"parquet", []string{".parquet", ".pq"}, readParquet, true},
	{"sg", []string{".sg", ".wsg"}, readSerialized, true},
	{"packed", []string{".packed"}, readPacked, true},
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
	f, err := openFile(ctx, name, opts.Progress)
	if err != nil {
		return nil, err
	}
	in, err := f.read(ctx, opts)
	f.close()
	if edge := new(notAHeader); errors.As(err, edge) && f.path != "" {
		opts.Header, opts.likely = NoHeader, edge.likely
		return Open(ctx, name, opts)
	}
	return in, err
}

// readGraphFile opens a graph file of hops. A plain one is mapped.
func readGraphFile(_ context.Context, f *file, _ *Options) (in *Input, err error) {
	in = &Input{Format: f.described("graph file of hops"), DirectedBy: ByFormat}
	if f.plain != nil {
		in.Graph, err = graph.Open(f.path)
	} else {
		in.Graph, err = graph.ReadGraph(f.content, f.name)
	}
	if err != nil {
		return nil, err
	}
	in.Names, in.Directed, in.Weighted, in.close = in.Graph.Names, in.Graph.Directed, in.Graph.Weighted(), in.Graph.Close
	return in, nil
}

func (f *file) read(ctx context.Context, opts Options) (*Input, error) {
	opts.team = par.NewTeam(opts.Threads, nil)
	defer opts.team.Close()
	if opts.fits != nil {
		f.fits, f.memoryStep = opts.fits, opts.memoryStep
	}
	if err := f.await(ctx); err != nil {
		return nil, f.explain(ctx, err)
	}
	if opts.Format == "" {
		var err error
		if opts.Format, err = detect(f); err != nil {
			return nil, err
		}
	}
	at := slices.Index(Names(), opts.Format)
	if at < 0 {
		return nil, fmt.Errorf("format: unknown format %q; there are %s", opts.Format, strings.Join(Names(), ", "))
	}
	in, err := formats[at].read(ctx, f, &opts)
	if err != nil {
		return nil, f.explain(ctx, err)
	}
	in.threads = opts.Threads
	if opts.Format != "edges" {
		if err := in.refuse(f, &opts); err != nil {
			_ = in.Close()
			return nil, err
		}
	}
	return in, nil
}

// refuse returns an error for the first option that a file with a format of its own
// contradicts or has no use for.
func (in *Input) refuse(f *file, opts *Options) error {
	for _, o := range []struct {
		given bool
		flag  string
		why   string
	}{
		{opts.Columns != nil && opts.Format != "parquet", "--columns", "chooses columns of edge lists and Parquet"},
		{opts.Header != AutoHeader, "--header", "is about the first line of edge lists"},
		{opts.Delimiter != 0, "--delimiter", "separates the columns of edge lists"},
		{opts.Comment != "", "--comment", "is for edge lists"},
		{opts.SkipBadLines, "--skip-bad-lines", "is for edge lists"},
		{opts.IDs == TextIDs && !in.Names.IsText(), "--ids string", "cannot be: names are numbers"},
		{opts.IDs == IntIDs && in.Names.IsText(), "--ids int", "cannot be: names are text"},
		{opts.Directed && !in.Directed, "--directed", "cannot be: the file says that edges lead both ways"},
	} {
		if o.given {
			return f.wrong("%s %s; this is %s", o.flag, o.why, in.Format)
		}
	}
	return nil
}
