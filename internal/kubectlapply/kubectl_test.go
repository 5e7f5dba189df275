package kubectlapply_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/cli"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/kubectlapply"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/txtar"
)

var record = flag.String("kubectl", "", "record what this kubectl prints")

// TestKubectl compares -o kubectl with the recorded output of kubectl 1.37.2 for the same
// files. Version 1.32.4 prints the same, except for --warnings-as-errors. The server of
// kubectl was a fakeServer with kubevet's own answers. So the test compares only the
// texts of kubectl. This command records again:
//
//	go test -run TestKubectl -kubectl PATH
func TestKubectl(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("testdata", "kubectl", "*.txtar"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c := kubectlCase{dir: t.TempDir()}
			var rest []txtar.File
			for _, f := range archive.Files {
				switch f.Name {
				case "kubectl.stdout", "kubectl.stderr", "kubectl.status":
					continue
				}
				rest = append(rest, f)
				name := filepath.Join(c.dir, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for line := range strings.Lines(string(archive.Comment)) {
				if args, ok := strings.CutPrefix(line, "$ "); ok {
					c.args = strings.Fields(args)
				}
			}
			var want []txtar.File
			if *record != "" {
				want = c.kubectl(t)
				archive.Files = append(rest, want...)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else {
				want = archive.Files[len(rest):]
			}
			if diff := cmp.Diff(texts(want), texts(c.kubevet(t))); diff != "" {
				t.Errorf("kubectl (-) and kubevet (+):\n%s", diff)
			}
		})
	}
}

func texts(files []txtar.File) map[string]string {
	m := map[string]string{}
	for _, f := range files {
		m[f.Name] = string(f.Data)
	}
	return m
}

// kubectlCase has kubevet's flags and a directory with files.
type kubectlCase struct {
	dir  string
	args []string
}

func (c kubectlCase) kubevet(t *testing.T) []txtar.File {
	var out, errs bytes.Buffer
	cmd := cli.Command{Stdout: &out, Stderr: &errs, Dir: c.dir}
	status := cmd.Main(t.Context(), append([]string{"lint", "--no-config", "-o", "kubectl"}, c.args...))
	return recorded(out.String(), errs.String(), status)
}

func recorded(stdout, stderr string, status int) []txtar.File {
	return []txtar.File{
		{Name: "kubectl.stdout", Data: []byte(stdout)},
		{Name: "kubectl.stderr", Data: []byte(stderr)},
		{Name: "kubectl.status", Data: []byte(strconv.Itoa(status) + "\n")},
	}
}

var quotedPatch = regexp.MustCompile(`(error when applying patch:\n|patch: Invalid value: ")\{.*\}("?)`)

// kubectl runs the real kubectl with a server that answers like kubevet.
func (c kubectlCase) kubectl(t *testing.T) []txtar.File {
	target, old := "", ""
	args := []string{"apply", "--dry-run=server"}
	var paths []string
	for i := 0; i < len(c.args); i++ {
		switch arg := c.args[i]; {
		case arg == "--target":
			i++
			target = c.args[i]
		case arg == "--old":
			i++
			old = c.args[i]
		case strings.HasPrefix(arg, "--"):
			args = append(args, arg)
		default:
			paths = append(paths, arg)
			args = append(args, "-f", arg)
		}
	}
	tgt, err := lifecycle.NewTarget(target, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeServer{target: tgt, validation: c.validation(), objects: map[string]*manifestlint.Object{}}
	if old != "" {
		in := c.inputs(old)
		if f.stored, err = objectcontext.Store(t.Context(), in.Seq(), objectcontext.StoreOptions{NewReader: in.NewReader}); err != nil {
			t.Fatal(err)
		}
	}
	f.read(t, c.inputs(paths...))
	server := httptest.NewServer(f)
	defer server.Close()
	home := t.TempDir()
	config := filepath.Join(home, "config")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","clusters":[{"name":"c","cluster":{"server":%q}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"c"}}],"current-context":"c","users":[{"name":"c","user":{}}]}`, server.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(*record, args...)
	cmd.Dir = c.dir
	cmd.Env = []string{"KUBECONFIG=" + config, "HOME=" + home}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return recorded(out.String(), quotedPatch.ReplaceAllString(errs.String(), "${1}…${2}"), cmd.ProcessState.ExitCode())
}

// fakeServer is an API server with the parts that kubectl needs: discovery, and kubevet's
// answers for the objects of the case.
type fakeServer struct {
	target     lifecycle.Target
	validation apiserver.FieldValidation
	set        *checks.Set
	stored     *objectcontext.Stored
	objects    map[string]*manifestlint.Object // by path of the request
}

// inputs returns the files of the case that the arguments name.
func (c kubectlCase) inputs(paths ...string) *lintrun.Inputs {
	list, _ := source.Expand(paths, source.Options{Dir: c.dir})
	return lintrun.NewInputs(list)
}

func (c kubectlCase) validation() apiserver.FieldValidation {
	switch {
	case slices.Contains(c.args, "--validate=warn"):
		return apiserver.Warn
	case slices.Contains(c.args, "--validate=ignore"), slices.Contains(c.args, "--validate=false"):
		return apiserver.Ignore
	}
	return apiserver.Strict
}

// read reads the objects that kubectl will send.
func (f *fakeServer) read(t *testing.T, in *lintrun.Inputs) {
	given, err := objectcontext.Collect(t.Context(), in.Seq(), objectcontext.Options{Kinds: checks.ContextKinds(), Further: checks.FurtherKinds, NewReader: in.NewReader})
	if err != nil {
		t.Fatal(err)
	}
	f.set = checks.NewSet(given)
	l := manifestlint.New(manifestlint.Options{
		Target: f.target, NewReader: in.NewReader, Workers: 1,
		Old: f.stored.Of,
		Each: func(e manifestlint.Event) func(manifestlint.Event) error {
			if e.Object == nil || e.Object.Name == "" {
				return nil
			}
			return func(e manifestlint.Event) error {
				if r, ok := f.set.Resource(f.target, f.target.To, e.Object); ok {
					f.objects[objectPath(e.Object, r)] = e.Object
				}
				return nil
			}
		},
	})
	if _, err := l.Run(context.Background(), in.Seq(), func(rules.Finding) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

func objectPath(o *manifestlint.Object, r checks.Resource) string {
	p := "/api/" + o.APIVersion
	if strings.Contains(o.APIVersion, "/") {
		p = "/apis/" + o.APIVersion
	}
	if r.Namespaced {
		p += "/namespaces/" + cmpOr(o.Namespace, "default")
	}
	return p + "/" + r.Plural + "/" + o.Name
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

type object = map[string]any

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	switch {
	case path == "/version":
		give(w, 200, object{"major": "1", "minor": "37", "gitVersion": "v1.37.0"})
	case path == "/api":
		give(w, 200, object{"kind": "APIVersions", "versions": []string{"v1"}})
	case path == "/apis":
		give(w, 200, f.groups())
	case path == "/openapi/v2":
		w.Header().Set("Content-Type", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf")
		w.WriteHeader(200)
	case path == "/openapi/v3":
		paths := object{}
		for gv := range f.resources() {
			paths[strings.TrimPrefix(root(gv), "/")] = object{"serverRelativeURL": "/openapi/v3" + root(gv)}
		}
		give(w, 200, object{"paths": paths})
	case strings.HasPrefix(path, "/openapi/v3/"):
		f.openAPI(w, strings.TrimPrefix(path, "/openapi/v3"))
	case r.Method == http.MethodGet && f.discovery(w, path):
	case r.Method == http.MethodGet:
		f.get(w, path)
	case r.Method == http.MethodPost:
		var body struct {
			Metadata struct{ Name string }
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			give(w, 400, object{"kind": "Status", "code": 400, "message": err.Error()})
			return
		}
		f.answer(w, path+"/"+body.Metadata.Name, 201)
	default:
		f.answer(w, path, 200)
	}
}

func root(gv string) string {
	if strings.Contains(gv, "/") {
		return "/apis/" + gv
	}
	return "/api/" + gv
}

func give(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

func (f *fakeServer) resources() map[string][]lifecycle.API {
	all := map[string][]lifecycle.API{}
	for a := range lifecycle.All() {
		if a.Class() == lifecycle.Resource && a.State(f.target.To, f.target) == lifecycle.Served {
			all[a.GroupVersion()] = append(all[a.GroupVersion()], a)
		}
	}
	return all
}

func (f *fakeServer) groups() object {
	versions := map[string][]object{}
	for gv := range f.resources() {
		if group, version, ok := strings.Cut(gv, "/"); ok {
			versions[group] = append(versions[group], object{"groupVersion": gv, "version": version})
		}
	}
	var groups []object
	for group, all := range versions {
		groups = append(groups, object{"name": group, "versions": all, "preferredVersion": all[0]})
	}
	return object{"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
}

func (f *fakeServer) discovery(w http.ResponseWriter, path string) bool {
	for gv, apis := range f.resources() {
		if root(gv) != path {
			continue
		}
		var all []object
		for _, a := range apis {
			all = append(all, object{"name": a.Resource(), "singularName": strings.ToLower(a.Kind()), "namespaced": a.Namespaced(), "kind": a.Kind(), "verbs": []string{"create", "get", "patch"}})
		}
		give(w, 200, object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": gv, "resources": all})
		return true
	}
	return false
}

// openAPI writes schemas in which every kind can be patched with field validation.
func (f *fakeServer) openAPI(w http.ResponseWriter, path string) {
	paths := object{}
	for gv, apis := range f.resources() {
		for _, a := range apis {
			if root(gv) == path {
				paths["/"+a.Resource()] = object{"patch": object{
					"parameters":                      []object{{"name": "fieldValidation", "in": "query", "schema": object{"type": "string"}}},
					"x-kubernetes-group-version-kind": object{"group": a.Group(), "version": a.Version(), "kind": a.Kind()},
				}}
			}
		}
	}
	give(w, 200, object{"openapi": "3.0.0", "info": object{"title": "x", "version": "1"}, "paths": paths})
}

// get writes the state of an object that kubectl has applied.
func (f *fakeServer) get(w http.ResponseWriter, path string) {
	o := f.objects[path]
	if o != nil {
		for _, x := range f.set.Answer(f.target, f.target.To, o, f.validation).Warnings {
			if x.Class == apiserver.DeprecatedAPI {
				warn(w, x.Text)
			}
		}
	}
	if o == nil || o.Old == nil {
		give(w, 404, object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404, "message": "not found"})
		return
	}
	stored := asJSON(o.Old).(object)
	meta, _ := stored["metadata"].(object)
	meta["namespace"] = cmpOr(o.Namespace, "default")
	if meta["annotations"] == nil {
		meta["annotations"] = object{}
	}
	applied, _ := json.Marshal(stored)
	meta["annotations"].(object)["kubectl.kubernetes.io/last-applied-configuration"] = string(applied) + "\n"
	meta["uid"], meta["resourceVersion"] = "1", "1"
	give(w, 200, stored)
}

func warn(w http.ResponseWriter, text string) {
	w.Header().Add("Warning", "299 - "+strconv.Quote(text))
}

func (f *fakeServer) answer(w http.ResponseWriter, path string, code int) {
	o := f.objects[path]
	if o == nil {
		give(w, 500, object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 500, "message": "no object at " + path})
		return
	}
	a := f.set.Answer(f.target, f.target.To, o, f.validation)
	for _, x := range a.Warnings {
		warn(w, x.Text)
	}
	if len(a.Causes) == 0 {
		give(w, code, asJSON(o.Root))
		return
	}
	code = a.Causes[0].Code
	status := object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": kubectlapply.ReasonOf(code), "message": a.Causes[0].Text}
	if code == http.StatusUnprocessableEntity {
		var causes []object
		var all []string
		for _, c := range a.Causes {
			causes = append(causes, object{"reason": "FieldValueInvalid", "field": c.Field, "message": c.Text})
			all = append(all, c.Field+": "+c.Text)
		}
		text := strings.Join(all, ", ")
		if len(all) > 1 {
			text = "[" + text + "]"
		}
		group, kind := "", o.Kind
		if g, _, ok := strings.Cut(o.APIVersion, "/"); ok {
			group, kind = g, o.Kind+"."+g
		}
		status["reason"], status["message"] = "Invalid", fmt.Sprintf("%s %q is invalid: %s", kind, o.Name, text)
		status["details"] = object{"name": o.Name, "group": group, "kind": o.Kind, "causes": causes}
	}
	give(w, code, status)
}

// asJSON converts a value to the types that encoding/json uses.
func asJSON(v *wire.Value) any {
	switch v.Kind {
	case wire.Map:
		m := object{}
		for i := range v.Fields {
			m[v.Fields[i].Name] = asJSON(v.Fields[i].Value)
		}
		return m
	case wire.List:
		all := []any{}
		for _, item := range v.Items {
			all = append(all, asJSON(item))
		}
		return all
	case wire.String:
		return v.Text
	case wire.Number:
		return json.Number(v.Text)
	case wire.Bool:
		return v.Text == "true"
	}
	return nil
}
