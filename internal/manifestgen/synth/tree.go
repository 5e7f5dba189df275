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

// Limit has the numbers of objects and bytes at which to stop. The first limit that is
// reached counts. A zero field means no limit. The zero Limit writes nothing.
type Limit struct {
	Objects int
	Bytes   int64
}

func (l Limit) reached(s *Summary) bool {
	return l == Limit{} || l.Objects > 0 && s.Objects >= l.Objects || l.Bytes > 0 && s.Bytes >= l.Bytes
}

// Summary has the numbers of written objects, and of findings that a linter must have.
type Summary struct {
	Files, Objects int
	Bytes          int64
	// Deprecated and Removed are the numbers of objects with this State.
	Deprecated, Removed int
	// PreStop is the number of objects with a preStop hook. Refused is the number of
	// these objects whose sleep is longer than the grace period.
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

// Place is the place of an object in the output.
type Place struct {
	File     string // path below the directory, with slashes; empty in a stream
	Document int    // index in its file, from 0
}

const separator = "---\n"

// Stream writes a stream of documents and calls visit for every object. visit may be nil.
func (g *Generator) Stream(w io.Writer, limit Limit, visit func(Place, *Object) error) (Summary, error) {
	s := Summary{Files: 1}
	out := bufio.NewWriterSize(w, 1<<20)
	for !limit.reached(&s) {
		o := g.Next()
		if s.Objects > 0 {
			s.Bytes += int64(len(separator))
			out.WriteString(separator) // Flush returns the error later
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

// folders is the number of subdirectories that Tree creates.
const folders = 100

// Tree writes files to subdirectories of dir, which it creates if necessary. It calls
// visit for every object. visit may be nil.
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
