// Package auditshapes writes an audit log in the shapes in which vendors, log
// shippers and archivers hand it out. It follows their documentation and shares
// no code with the reader, so that a mistake of the reader is not repeated here.
package auditshapes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Shape is one way to hand out an audit log.
type Shape struct {
	// Name is unique and a file name.
	Name string
	// Source says where the shape is documented.
	Source string
	// Keeps is what a reader can know from the shape.
	Keeps Keeps
	// Write returns the files, by their slash-separated names.
	Write func(Log) (Files, error)
}

// Keeps is how much of the events a shape keeps. The zero value is everything.
type Keeps int

// What shapes keep.
const (
	Everything Keeps = iota
	// Requests: each request, its user, API and code, but not its bodies.
	Requests
	// Some: a part of the requests, or a part of the marks of deprecation.
	Some
	// Nothing: there is no audit event that could be read.
	Nothing
	// Cut: parts of some events are missing, which a reader has to tell.
	Cut
)

// Files are contents by name.
type Files map[string][]byte

// Log is a list of events.
type Log []Event

// Event is one event of a log in the format of the API server.
type Event struct {
	// Line is the event as compact JSON without a newline.
	Line string
	// The parts that envelopes repeat.
	AuditID, Stage, Verb, RequestURI, UserAgent string
	Level                                       string
	Received, Time                              time.Time
	SourceIPs                                   []string
	User, ObjectRef, Status, Annotations        json.RawMessage
	Impersonated, Request, Response             json.RawMessage
}

// Parse reads a log in the format of the API server, one event on each line.
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

// All returns every shape.
func All() []Shape {
	var all []Shape
	for _, some := range [][]Shape{server(), archives(), amazon(), google(), azure(), openshift(), containers(), hosts(), shippers(), stores(), queries(), printed(), databases(), security(), cuts(), strangers()} {
		all = append(all, some...)
	}
	return all
}

// object is a JSON object for envelopes.
type object = map[string]any

// text returns v as compact JSON in which <, > and & stand as they are.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only maps, slices and strings are passed
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// indented returns JSON with line breaks.
func indented(data string, indent string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(data), "", indent); err != nil {
		panic(err)
	}
	return b.String()
}

// raw is the event as a JSON value.
func (e Event) raw() json.RawMessage { return json.RawMessage(e.Line) }

// one is a shape with a single file.
func one(name, source, file string, write func(Log) string) Shape {
	return kept(name, source, Everything, file, write)
}

// kept is a shape with a single file that keeps a part of the events.
func kept(name, source string, keeps Keeps, file string, write func(Log) string) Shape {
	return Shape{Name: name, Source: source, Keeps: keeps, Write: func(l Log) (Files, error) {
		return Files{file: []byte(write(l))}, nil
	}}
}

// each joins what line returns for the events, each with a newline behind it.
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

// batches calls write for every n events.
func batches(l Log, n int, write func(first int, part Log)) {
	for i := 0; i < len(l); i += n {
		write(i, l[i:min(i+n, len(l))])
	}
}

// lines is the log as the API server writes it.
func lines(l Log) string { return each(func(_ int, e Event) string { return e.Line })(l) }

// millis is a time as vendors of clouds write it.
func millis(t time.Time) int64 { return t.UnixMilli() }
