package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/goload"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// measurement has the results of kubevet for one module.
type measurement struct {
	Module   string    `json:"module"`
	Revision string    `json:"revision"`
	Findings []finding `json:"findings"`
	Calls    []call    `json:"calls"`
	// Packages is the number of packages that the patterns match. Skipped is the number
	// of packages among them that have nothing to do with Kubernetes.
	Packages int `json:"packages"`
	Skipped  int `json:"skipped"`
	// Lines is the number of lines in the analysed files of the module itself.
	Lines int `json:"lines"`
	// Failures has the packages that could not be analysed completely, because of their
	// code or their dependencies. Internal has errors of kubevet itself, such as panics.
	Failures []string `json:"failures,omitempty"`
	Internal []string `json:"internal,omitempty"`
	// Wall and CPU are times in seconds. CPU includes the process and the go command.
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"`
}

// finding is one diagnostic of a rule.
type finding struct {
	Rule    string   `json:"rule"`
	At      string   `json:"at"`
	Message string   `json:"message"`
	Related []string `json:"related,omitempty"`
	Default bool     `json:"default"`
}

// call is a write as package apicall resolves it.
type call struct {
	At          string `json:"at"`
	Family      string `json:"family"`
	Verb        string `json:"verb"`
	Subresource string `json:"subresource,omitempty"`
	// Manager, Force and DryRun are the known settings, including those of the client.
	// OwnManager, OwnForce and OwnDryRun are only from the options of the call.
	Manager    string `json:"manager"`
	Force      string `json:"force"`
	DryRun     string `json:"dryRun"`
	OwnManager string `json:"ownManager"`
	OwnForce   string `json:"ownForce"`
	OwnDryRun  string `json:"ownDryRun"`
}

// measureAll measures each module in a separate process, so that a crash affects only one
// row of a table. It writes each result to a file below out.
func measureAll(cache, out string, list []module, log io.Writer) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, m := range list {
		cmd := exec.Command(self, "one", "-cache", cache, m.Name)
		cmd.Stderr = log
		start := time.Now()
		data, err := cmd.Output()
		got := measurement{Module: m.Name, Revision: m.revision()}
		if err == nil {
			err = json.Unmarshal(data, &got)
		}
		if err != nil {
			got.Internal = append(got.Internal, err.Error())
		}
		got.Wall = time.Since(start).Seconds()
		got.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		fmt.Fprintf(log, "%s: %d findings, %d calls, %d failures, %d of ours, %.1f s\n",
			m.Name, len(got.Findings), len(got.Calls), len(got.Failures), len(got.Internal), got.CPU)
		data, err = json.MarshalIndent(got, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, m.Name+".json"), append(data, '\n'), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// measure runs all rules on a module. Each rule has its default mode.
func measure(cache string, m module) (*measurement, error) {
	dir, err := checkout(cache, m)
	if err != nil {
		return nil, err
	}
	rules := analyzers.All()
	// The labels are for the newest minor, even if the module uses an older client-go.
	restore, err := analyzers.Set(analyzers.Target(lifecycle.Newest.String()))
	if err != nil {
		return nil, err
	}
	defer restore()
	var calls collector
	options := goload.Options{
		Dir:       dir,
		Patterns:  m.Patterns,
		Analyzers: append(slices.Clip(rules), calls.analyzer()),
		Relevant:  analyzers.Relevant,
		Markers:   analyzers.Markers(),
		Library:   analyzers.Library,
		Facts:     analyzers.Facts(),
	}
	if len(options.Patterns) == 0 {
		options.Patterns = []string{"./..."}
	}
	if m.Published != "" {
		// go.sum does not have the requirements that requirePublished added.
		options.BuildFlags = []string{"-mod=mod"}
	}
	got, err := goload.Run(context.Background(), options)
	if err != nil {
		return nil, err
	}
	at := func(pos token.Position) string {
		rel, err := filepath.Rel(dir, pos.Filename)
		if err != nil {
			rel = pos.Filename
		}
		return fmt.Sprintf("%s:%d:%d", filepath.ToSlash(rel), pos.Line, pos.Column)
	}
	r := &measurement{Module: m.Name, Revision: m.revision(), Packages: got.Packages, Skipped: got.Skipped}
	for _, d := range got.Diagnostics {
		if !d.Own {
			continue
		}
		f := finding{Rule: d.Analyzer.Name, At: at(d.Pos), Message: d.Message, Default: analyzers.OnByDefault(d.Analyzer.Name)}
		for _, rel := range d.Related {
			f.Related = append(f.Related, at(rel.Pos)+" "+rel.Message)
		}
		r.Findings = append(r.Findings, f)
	}
	for _, f := range got.Failures {
		for _, e := range f.Errors {
			text := f.Package + ": " + e.Msg
			if e.Internal {
				r.Internal = append(r.Internal, text)
			} else {
				r.Failures = append(r.Failures, text)
				break
			}
		}
	}
	for _, c := range calls.calls {
		c.call.At = at(c.pos)
		if within(dir, c.pos.Filename) {
			r.Calls = append(r.Calls, c.call)
		}
	}
	slices.SortFunc(r.Calls, func(a, b call) int { return cmp.Compare(a.At, b.At) })
	r.Lines = lines(calls.files)
	return r, nil
}

// lines counts the lines of files.
func lines(names []string) int {
	n := 0
	for _, name := range names {
		if data, err := os.ReadFile(name); err == nil {
			n += strings.Count(string(data), "\n")
		}
	}
	return n
}

// collector collects the writes of all packages.
type collector struct {
	mu    sync.Mutex
	calls []resolved
	files []string
}

type resolved struct {
	pos  token.Position
	call call
}

// analyzer returns an analyzer that records every write and reports nothing. This package
// cannot import package apicall. So it takes the analyzer of apicall from the required
// analyzers of analyzers.Census, and reads its result by reflection. Only the names of
// exported fields must stay the same.
func (c *collector) analyzer() *analysis.Analyzer {
	requires := analyzers.Census.Requires
	source := requires[slices.IndexFunc(requires, func(a *analysis.Analyzer) bool { return a.Name == "kubevetcalls" })]
	return &analysis.Analyzer{
		Name:     "gobenchcalls",
		Doc:      "note every write",
		Requires: []*analysis.Analyzer{source},
		Run: func(pass *analysis.Pass) (any, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			for _, f := range pass.Files {
				c.files = append(c.files, pass.Fset.Position(f.Package).Filename)
			}
			calls := reflect.ValueOf(pass.ResultOf[source]).Elem().FieldByName("Calls")
			for i := range calls.Len() {
				v := calls.Index(i)
				pos := v.MethodByName("Pos").Call(nil)[0].Interface().(token.Pos)
				if v.MethodByName("IsReview").Call(nil)[0].Bool() || v.Elem().FieldByName("Fake").Bool() {
					continue // such an object is never stored in a server
				}
				v = v.Elem()
				own := v.FieldByName("Own")
				c.calls = append(c.calls, resolved{pass.Fset.Position(pos), call{
					Family:      fmt.Sprint(v.FieldByName("Family")),
					Verb:        fmt.Sprint(v.FieldByName("Verb")),
					Subresource: v.FieldByName("Subresource").String(),
					Manager:     fmt.Sprint(v.FieldByName("FieldManager")),
					Force:       fmt.Sprint(v.FieldByName("Force")),
					DryRun:      fmt.Sprint(v.FieldByName("DryRun")),
					OwnManager:  fmt.Sprint(own.FieldByName("FieldManager")),
					OwnForce:    fmt.Sprint(own.FieldByName("Force")),
					OwnDryRun:   fmt.Sprint(own.FieldByName("DryRun")),
				}})
			}
			return nil, nil
		},
	}
}
