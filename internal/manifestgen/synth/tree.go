package synth

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Limit says when to stop: at the first of both that is reached. A zero field
// sets no limit; the zero Limit writes nothing.
type Limit struct {
	Objects int
	Bytes   int64
}

func (l Limit) reached(s *Summary) bool {
	return l == Limit{} || l.Objects > 0 && s.Objects >= l.Objects || l.Bytes > 0 && s.Bytes >= l.Bytes
}

// Summary is what was written, and what a linter must find in it.
type Summary struct {
	Files, Objects int
	Bytes          int64
	// Deprecated and Removed count objects by State; an object is in one of
	// them at most.
	Deprecated, Removed int
	// PreStop counts objects with a preStop handler, Refused those of them
	// whose sleep is longer than the grace period.
	PreStop, Refused int
}

func (s *Summary) add(o *Object) {
	s.Objects++
	switch o.State {
	case Deprecated:
		s.Deprecated++
	case Removed:
		s.Removed++
	}
	if o.PreStop {
		s.PreStop++
	}
	if o.Refused {
		s.Refused++
	}
}

// Place is where an object was written.
type Place struct {
	File     string // slash-separated path below the directory; empty in a stream
	Document int    // index in its file, from 0
}

const separator = "---\n"

// Stream writes one multi-document stream. visit is called for every object
// and may be nil.
func (g *Generator) Stream(w io.Writer, limit Limit, visit func(Place, *Object) error) (Summary, error) {
	s := Summary{Files: 1}
	out := bufio.NewWriterSize(w, 1<<20)
	for !limit.reached(&s) {
		o := g.Next()
		if s.Objects > 0 {
			s.Bytes += int64(len(separator))
			out.WriteString(separator) // bufio keeps the first error for Flush
		}
		if visit != nil {
			if err := visit(Place{Document: s.Objects}, &o); err != nil {
				return s, err
			}
		}
		s.Bytes += int64(len(o.Text))
		if _, err := out.Write(o.Text); err != nil {
			return s, err
		}
		s.add(&o)
	}
	return s, out.Flush()
}

// folders is the number of subdirectories that Tree spreads its files over.
const folders = 100

// Tree writes files into subdirectories of dir, which is created if need be.
// visit is called for every object and may be nil.
func (g *Generator) Tree(dir string, limit Limit, visit func(Place, *Object) error) (Summary, error) {
	var s Summary
	for i := range folders {
		if err := os.MkdirAll(filepath.Join(dir, folder(i)), 0o755); err != nil {
			return s, err
		}
	}
	var (
		text  bytes.Buffer
		place Place
	)
	flush := func() error {
		if text.Len() == 0 {
			return nil
		}
		data := text.Bytes()
		if s.Files%150 == 149 {
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		s.Files++
		s.Bytes += int64(len(data))
		err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(place.File)), data, 0o644)
		text.Reset()
		return err
	}
	for !limit.reached(&s) {
		o := g.Next()
		if o.First {
			if err := flush(); err != nil {
				return s, err
			}
			place = Place{File: fmt.Sprintf("%s/%06d-%s.yaml", folder(s.Files), s.Files, strings.ToLower(o.Kind))}
		} else {
			place.Document++
		}
		if !o.First || o.Marked {
			text.WriteString(separator)
		}
		if visit != nil {
			if err := visit(place, &o); err != nil {
				return s, err
			}
		}
		text.Write(o.Text)
		s.add(&o)
	}
	return s, flush()
}

func folder(file int) string {
	n := file % folders
	return fmt.Sprintf("%s-%02d", teams[n%len(teams)], n)
}
