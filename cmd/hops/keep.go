package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/gohops/hops/graph500"
	"github.com/gohops/hops/internal/base/atomicfile"
	"github.com/gohops/hops/report"
)

// jsonFormat is the format that a run can be continued from.
const jsonFormat = "json"

// record says where the run is saved, after every search, and what an earlier run
// has left there.
func (o *graph500Flags) record(a *app, engine string) (rec graph500.Record, err error) {
	if o.resume != "" {
		rec.Earlier, err = report.ReadFile(o.resume)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return rec, err
		}
	}
	ranks := 1
	if a.ranks != nil {
		ranks, rec.MPI = a.ranks.Size(), a.ranks.Library()
	}
	if err := rec.Check(o.config(), engine, ranks); err != nil {
		return rec, err
	}
	if o.format == jsonFormat && replaceable(o.output) {
		rec.Save = func(r *graph500.Result) error {
			r.Command = o.command(a, engine)
			return atomicfile.Write(o.output, func(w io.Writer) error { return report.JSON(w, r) })
		}
	}
	return rec, nil
}

// lock keeps other runs away from a result file that this one writes again and again.
func (o *graph500Flags) lock() (unlock func(), err error) {
	if o.format != jsonFormat || !replaceable(o.output) {
		return func() {}, nil
	}
	return atomicfile.Lock(o.output)
}

// replaceable tells whether a path is that of a file, or of none, which can be
// written again and again.
func replaceable(path string) bool {
	if path == "-" {
		return false
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// errTried ends a trial write.
var errTried = errors.New("tried")

// writeLate is writeTo for a path that is also written during the work. It tries the
// path before the work starts and then does not touch it until the end, so that a
// process that is killed leaves no file that is half written.
func writeLate(path string, _ io.Writer, write func(io.Writer) error) error {
	if err := atomicfile.Write(path, func(io.Writer) error { return errTried }); !errors.Is(err, errTried) {
		return err
	}
	var whole bytes.Buffer
	if err := write(&whole); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := whole.WriteTo(w)
		return err
	})
}
