package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// clientLabel is a label for a client of an API server. It says whether the requests of
// the client come from a module, and from which places.
type clientLabel struct {
	// Module is the name of the module. "*" means all modules.
	Module string `json:"module"`
	// Agent, User, Managers and APIs are the data of the client in an audit log. APIs has
	// further APIs that the client requests.
	Agent    string   `json:"agent"`
	User     string   `json:"user"`
	Managers []string `json:"managers,omitempty"`
	APIs     []string `json:"apis,omitempty"`
	// API and Verb are the request that the label is about.
	API  string `json:"api"`
	Verb string `json:"verb"`
	// Silent is true if kubevet must name no code. Otherwise, Program is the package or
	// module that it must name. At has places that it must name, and Right has further
	// correct places.
	Silent  bool     `json:"silent,omitempty"`
	Program string   `json:"program,omitempty"`
	At      []string `json:"at,omitempty"`
	Right   []string `json:"right,omitempty"`
	Why     string   `json:"why"`
}

// clientScore counts the results for labels.
type clientScore struct {
	// Labels is the number of labels that require code, Silent the number of labels that
	// forbid it.
	Labels, Silent int
	// Found, Missed and Wrong are numbers of programs. Spoken is the number of silent
	// labels for which kubevet named code.
	Found, Missed, Wrong, Spoken int
	// Places is the number of places that kubevet named, and Right is the number of
	// correct ones among them. Expected is the number of places that it must name, and
	// Named the number of these places that it named.
	Places, Right, Expected, Named int
}

// measureClients runs `kubevet audit --code` for all labels of some modules. The audit
// log is generated from the labels.
func measureClients(cache string, names []string, out io.Writer) error {
	list, err := readLines[module]("testdata/clients.modules.jsonl")
	if err != nil {
		return err
	}
	labels, err := readLines[clientLabel]("testdata/labels/clients.jsonl")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gobench-clients-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kubevet := filepath.Join(dir, "kubevet")
	if _, err := run("../..", "go", "build", "-o", kubevet, "./cmd/kubevet"); err != nil {
		return err
	}
	var total clientScore
	var took time.Duration
	for _, m := range list {
		if len(names) > 0 && !slices.Contains(names, m.Name) {
			continue
		}
		source, err := checkout(cache, m)
		if err != nil {
			return err
		}
		var mine []clientLabel
		for _, l := range labels {
			if l.Module == m.Name || l.Module == "*" {
				mine = append(mine, l)
			}
		}
		start := time.Now()
		s, err := askClients(kubevet, source, filepath.Join(dir, m.Name+".log"), mine, out)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		took += time.Since(start)
		fmt.Fprintf(out, "%s: %d of %d programs, %d of %d silences, places: %d of %d right, %d of %d found\n",
			m.Name, s.Found, s.Labels, s.Silent-s.Spoken, s.Silent, s.Right, s.Places, s.Named, s.Expected)
		total.add(s)
	}
	fmt.Fprintf(out, "programs: precision %s, recall %s; silent where they must be: %s\nplaces: precision %s, recall %s; %.0f s\n",
		share(total.Found, total.Found+total.Wrong+total.Spoken), share(total.Found, total.Labels), share(total.Silent-total.Spoken, total.Silent),
		share(total.Right, total.Places), share(total.Named, total.Expected), took.Seconds())
	return nil
}

func (s *clientScore) add(o clientScore) {
	s.Labels, s.Silent = s.Labels+o.Labels, s.Silent+o.Silent
	s.Found, s.Missed, s.Wrong, s.Spoken = s.Found+o.Found, s.Missed+o.Missed, s.Wrong+o.Wrong, s.Spoken+o.Spoken
	s.Places, s.Right, s.Expected, s.Named = s.Places+o.Places, s.Right+o.Right, s.Expected+o.Expected, s.Named+o.Named
}

// askClients runs kubevet for the labels of one module.
func askClients(kubevet, source, log string, labels []clientLabel, out io.Writer) (s clientScore, err error) {
	var events bytes.Buffer
	for i, l := range labels {
		for j, api := range append([]string{l.API}, l.APIs...) {
			if err := event(&events, i, j, l, api); err != nil {
				return s, err
			}
		}
	}
	if err := os.WriteFile(log, events.Bytes(), 0o666); err != nil {
		return s, err
	}
	cmd := exec.Command(kubevet, "audit", "-q", "--no-contention", "--fail-on", "never", "--target", "1.37", "--code", ".", "-o", "json", log)
	cmd.Dir = source
	data, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		err = nil // a package could not be loaded, because a dependency is missing
	}
	if err != nil {
		return s, err
	}
	var doc struct {
		Code struct {
			Origins []struct {
				Subject, User, Agent, Module, Package, Confidence string
				Places                                            []struct {
					File string
					Line int
					Does string
				}
			}
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return s, err
	}
	for i, l := range labels {
		var programs, places []string
		for _, o := range doc.Code.Origins {
			if o.User != labelUser(i, l) || o.Subject != l.API {
				continue
			}
			program := o.Package
			if program == "" {
				program = o.Module
			}
			programs = append(programs, program)
			for _, p := range o.Places {
				places = append(places, fmt.Sprintf("%s:%d", p.File, p.Line))
			}
		}
		name := fmt.Sprintf("  %s %s %s", l.Agent, l.Verb, l.API)
		if l.Silent {
			s.Silent++
			if len(programs) > 0 {
				s.Spoken++
				fmt.Fprintf(out, "%s: must be silent, says %s\n", name, strings.Join(programs, ", "))
			}
			continue
		}
		s.Labels++
		switch {
		case slices.Contains(programs, l.Program):
			s.Found++
			s.Wrong += len(programs) - 1
		case len(programs) == 0:
			s.Missed++
			fmt.Fprintf(out, "%s: no code is named\n", name)
		default:
			s.Wrong++
			fmt.Fprintf(out, "%s: %s instead of %s\n", name, strings.Join(programs, ", "), l.Program)
		}
		s.Expected += len(l.At)
		for _, want := range l.At {
			if slices.Contains(places, want) {
				s.Named++
			} else {
				fmt.Fprintf(out, "%s: %s is not named\n", name, want)
			}
		}
		for _, p := range places {
			s.Places++
			if slices.Contains(l.At, p) || slices.Contains(l.Right, p) {
				s.Right++
			} else {
				fmt.Fprintf(out, "%s: %s is named\n", name, p)
			}
		}
	}
	return s, nil
}

// labelUser returns the user of a label in the log. The number i distinguishes several
// labels of one client.
func labelUser(i int, l clientLabel) string { return fmt.Sprintf("%s-%d", l.User, i) }

// event writes the audit event of a request.
func event(w io.Writer, i, j int, l clientLabel, api string) error {
	gv, resource, _ := strings.Cut(api, " ")
	group, version, found := strings.Cut(gv, "/")
	path := "/apis/" + gv
	if !found {
		group, version, path = "", gv, "/api/"+gv
	}
	verb, annotations := l.Verb, map[string]string{"k8s.io/deprecated": "true"}
	if j > 0 {
		verb, annotations = "list", nil
	}
	uri := path + "/namespaces/shop/" + resource
	if len(l.Managers) > 0 && j == 0 {
		uri += "?fieldManager=" + l.Managers[0]
	}
	at := time.Date(2026, 11, 21, 10, i, j, 1000, time.UTC).Format("2006-01-02T15:04:05.000000Z")
	return json.NewEncoder(w).Encode(map[string]any{
		"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "Metadata", "auditID": fmt.Sprintf("a%d-%d", i, j), "stage": "ResponseComplete",
		"requestURI": uri, "verb": verb, "user": map[string]any{"username": labelUser(i, l)}, "userAgent": l.Agent,
		"objectRef":                map[string]string{"resource": resource, "namespace": "shop", "name": "x", "apiGroup": group, "apiVersion": version},
		"responseStatus":           map[string]any{"metadata": map[string]any{}, "code": 200},
		"requestReceivedTimestamp": at, "stageTimestamp": at, "annotations": annotations,
	})
}
