// Command ask answers requests with the code of the newest Kubernetes release.
// TestAgainstServerCode in the packages podwarning and kindwarning runs the program in
// KUBEVET_ASK. The first argument is the minor, which must be the minor of this release.
//
// It reads JSON lines with the fields "id", "op", "obj" or "body", "old" and
// "validation". op is create, update or merge. For each line, it writes a line with "id",
// "code", "message", "warnings" and "causes". Code 599 means that only a server could
// answer.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/strategies"
)

// unanswered is the code for requests that only a real server could answer.
const unanswered = 599

type question struct {
	ID         string          `json:"id"`
	Op         string          `json:"op"`
	Obj        json.RawMessage `json:"obj"`
	Body       string          `json:"body"`
	Old        json.RawMessage `json:"old"`
	Validation string          `json:"validation"`
}

type reply struct {
	ID       string         `json:"id"`
	Code     int            `json:"code"`
	Message  string         `json:"message,omitempty"`
	Warnings []string       `json:"warnings"`
	Causes   []oracle.Cause `json:"causes,omitempty"`
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	newest := release.Versions()[0]
	if len(args) > 0 && !strings.HasPrefix(newest+".", args[0]+".") {
		return fmt.Errorf("this is the code of %s, not of %s", newest, args[0])
	}
	if len(args) > 1 && args[1] != "" {
		return fmt.Errorf("feature gates %s: only the defaults can be asked", args[1])
	}
	o := strategies.New()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	answers := json.NewEncoder(out)
	for n := 1; lines.Scan(); n++ {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := answers.Encode(q.answer(o)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (q *question) answer(o *strategies.Oracle) reply {
	c := &oracle.Case{ID: q.ID, Op: q.Op, Obj: q.Obj, Raw: q.Body}
	if len(q.Old) > 0 {
		c.Setup = []json.RawMessage{q.Old}
		if c.Op == "" {
			c.Op = "update"
		}
	}
	if q.Validation != "" {
		query := oracle.DefaultQuery
		query = strings.Replace(query, "fieldValidation=Warn", "fieldValidation="+q.Validation, 1)
		c.Query = &query
	}
	a, ok := o.Answer(c)
	if !ok {
		return reply{ID: q.ID, Code: unanswered, Warnings: []string{}}
	}
	r := reply{ID: q.ID, Code: a.Code, Message: a.Message, Warnings: []string{}, Causes: a.Causes}
	for _, w := range a.Warnings {
		r.Warnings = append(r.Warnings, oracle.WarningText(w))
	}
	return r
}
