// Package auditshapes writes an audit log in the formats in which vendors, log shippers
// and archives deliver logs. It follows the documentation of these products. It shares no
// code with kubevet's reader, so that it does not repeat the reader's mistakes.
package auditshapes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Shape is one format of an audit log.
type Shape struct {
	// Name is unique and a valid file name.
	Name string
	// Source is the address of the documentation of the format.
	Source string
	// Keeps says which parts of the events a reader can find in the files.
	Keeps Keeps
	// Write writes a log and returns the files. Their names have slashes.
	Write func(Log) (Files, error)
}

// Keeps says which parts of the events a format keeps. The zero value is Everything.
type Keeps int

const (
	// Everything means that the files have complete events.
	Everything Keeps = iota
	// Requests means that the files have each request with its user, API and status code,
	// but no bodies.
	Requests
	// Some means that the files have only some of the requests, or only some of the
	// annotations about deprecation.
	Some
	// Nothing means that no audit event can be read.
	Nothing
	// Cut means that parts of some events are missing. A reader must report this.
	Cut
)

// Files has the content of files by name.
type Files map[string][]byte

// Log is a list of events.
type Log []Event

// Event is one event of a log in the format of the API server.
type Event struct {
	// Line is the event as compact JSON without a newline.
	Line string
	// These fields repeat parts of Line.
	AuditID, Stage, Verb, RequestURI, UserAgent string
	Level                                       string
	Received, Time                              time.Time
	SourceIPs                                   []string
	User, ObjectRef, Status, Annotations        json.RawMessage
	Impersonated, Request, Response             json.RawMessage
}

// Parse parses a log in the format of the API server, with one event on each line.
func Parse(data []byte) (Log, error) {
	var log Log
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var e struct {
			Level, AuditID, Stage, Verb, RequestURI, UserAgent string
			SourceIPs                                          []string
			User, ImpersonatedUser, ObjectRef, ResponseStatus  json.RawMessage
			Annotations, RequestObject, ResponseObject         json.RawMessage
			RequestReceivedTimestamp, StageTimestamp           time.Time
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		log = append(log, Event{
			Line: string(line), Level: e.Level, AuditID: e.AuditID, Stage: e.Stage, Verb: e.Verb, RequestURI: e.RequestURI, UserAgent: e.UserAgent,
			Received: e.RequestReceivedTimestamp, Time: e.StageTimestamp, SourceIPs: e.SourceIPs,
			User: e.User, Impersonated: e.ImpersonatedUser, ObjectRef: e.ObjectRef, Status: e.ResponseStatus, Annotations: e.Annotations,
			Request: e.RequestObject, Response: e.ResponseObject,
		})
	}
	return log, nil
}

// All returns all shapes.
func All() []Shape {
	var all []Shape
	for _, some := range [][]Shape{server(), archives(), amazon(), google(), azure(), openshift(), containers(), hosts(), shippers(), stores(), queries(), printed(), databases(), security(), incomplete(), notAuditLogs()} {
		all = append(all, some...)
	}
	return all
}

// object is a JSON object.
type object = map[string]any

// text returns v as compact JSON. It does not escape <, > and &.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // not possible: callers pass only maps, slices and strings
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// indented returns JSON with line breaks and indentation.
func indented(data string, indent string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(data), "", indent); err != nil {
		panic(err)
	}
	return b.String()
}

// raw returns the event as a JSON value.
func (e Event) raw() json.RawMessage { return json.RawMessage(e.Line) }

// singleFile returns a shape with one file that keeps everything.
func singleFile(name, source, file string, write func(Log) string) Shape {
	return partialFile(name, source, Everything, file, write)
}

// partialFile returns a shape with one file that keeps a part of the events.
func partialFile(name, source string, keeps Keeps, file string, write func(Log) string) Shape {
	return Shape{Name: name, Source: source, Keeps: keeps, Write: func(l Log) (Files, error) {
		return Files{file: []byte(write(l))}, nil
	}}
}

// each returns a function that joins the results of line for all events. A newline
// follows each result.
func each(line func(i int, e Event) string) func(Log) string {
	return func(l Log) string {
		var b bytes.Buffer
		for i, e := range l {
			b.WriteString(line(i, e))
			b.WriteByte('\n')
		}
		return b.String()
	}
}

// batches calls write for groups of n events. first is the index of a group's first
// event.
func batches(l Log, n int, write func(first int, part Log)) {
	for i := 0; i < len(l); i += n {
		write(i, l[i:min(i+n, len(l))])
	}
}

// lines returns the log as the API server writes it.
func lines(l Log) string { return each(func(_ int, e Event) string { return e.Line })(l) }

// millis returns a time in milliseconds, as cloud vendors write it.
func millis(t time.Time) int64 { return t.UnixMilli() }
