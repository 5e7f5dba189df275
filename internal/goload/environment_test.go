package goload

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// missingModule is a module that requires a module that does not exist.
const missingModule = `
-- go.mod --
module example.com/m

go 1.24

require example.net/missing v1.2.3
-- go.sum --
example.net/missing v1.2.3 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
example.net/missing v1.2.3/go.mod h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
-- a.go --
package a

import _ "example.net/missing/x"
`

// TestNoDownload checks that the go command contacts no server and does not change
// go.mod, for any environment. With AllowDownload it may do both.
func TestNoDownload(t *testing.T) {
	var asked atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.NotFound(w, r)
	}))
	defer proxy.Close()
	settings := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(settings, []byte("GOFLAGS=-mod=mod\nGOPROXY="+proxy.URL+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for _, test := range []struct {
		name string
		env  []string
	}{
		{"proxy", []string{"GOPROXY=" + proxy.URL, "GOFLAGS="}},
		{"mod", []string{"GOPROXY=" + proxy.URL, "GOFLAGS=-mod=mod -modcacherw"}},
		{"quoted mod", []string{"GOPROXY=" + proxy.URL, "GOFLAGS='-mod=mod'"}},
		{"settings", []string{"GOENV=" + settings, "GOPROXY=", "GOFLAGS="}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := write(t, strings.TrimPrefix(missingModule, "\n"))
			before, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Dir: dir, Env: append(offline("GOMODCACHE="+empty, "GOSUMDB=off", "GONOPROXY=", "GOPRIVATE="), test.env...), Patterns: []string{"./..."}}
			asked.Store(0)
			r, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if n := asked.Load(); n != 0 {
				t.Errorf("%d requests", n)
			}
			if want := "example.net/missing@v1.2.3"; strings.Join(r.Missing, " ") != want {
				t.Errorf("missing = %q, want %q", r.Missing, want)
			}
			if after, err := os.ReadFile(filepath.Join(dir, "go.mod")); err != nil || string(after) != string(before) {
				t.Errorf("go.mod = %s, %v", after, err)
			}

			o.AllowDownload = true
			// The result is an error, because the server has no modules.
			_, _ = Run(t.Context(), o)
			if asked.Load() == 0 {
				t.Error("no request with AllowDownload")
			}
		})
	}
}

// TestNoVersionControl checks that the go command does not run git to fetch private
// modules.
func TestNoVersionControl(t *testing.T) {
	dir := write(t, strings.TrimPrefix(missingModule, "\n"))
	bin, ran := spy(t, "git")
	r, err := Run(t.Context(), Options{Dir: dir, Patterns: []string{"./..."}, Env: append(offline(),
		"GOMODCACHE="+t.TempDir(), "GOSUMDB=off", "GOPRIVATE=*", "GOPROXY=direct", "GOFLAGS=-mod=mod -buildvcs=true", "GOINSECURE=*",
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))})
	if err != nil {
		t.Fatal(err)
	}
	if text := ran(); text != "" {
		t.Errorf("git %s", text)
	}
	if len(r.Missing) != 1 {
		t.Errorf("missing = %q", r.Missing)
	}
}

// TestNoCompiler checks that no C compiler runs on the C code of a package.
func TestNoCompiler(t *testing.T) {
	dir := write(t, module+"-- .git/HEAD --\n-- a.go --\npackage a\n\n// #include \"/dev/zero\"\nimport \"C\"\n\nfunc Marked() C.int { return 0 }\n\nfunc f() { Marked() }\n")
	bin, ran := spy(t, "cc")
	r, err := Run(t.Context(), Options{Dir: dir, Patterns: []string{"./..."}, Analyzers: []*analysis.Analyzer{calls()},
		Env: offline("CGO_ENABLED=1", "CC="+filepath.Join(bin, "cc"))})
	if err != nil {
		t.Fatal(err)
	}
	if text := ran(); text != "" {
		t.Errorf("cc %s", text)
	}
	if len(r.Failures) > 0 || len(r.Diagnostics) != 1 {
		t.Errorf("failures %v, findings %v", r.Failures, r.Diagnostics)
	}
}

// spy returns a directory with a fake program, and a function that returns the arguments
// of its calls.
func spy(t *testing.T, program string) (dir string, ran func() string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir = t.TempDir()
	trace := filepath.Join(dir, "trace")
	if err := os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\necho \"$@\" >> "+trace+"\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir, func() string {
		text, err := os.ReadFile(trace)
		if err != nil {
			return ""
		}
		return "was run: " + string(text)
	}
}

func TestToolchain(t *testing.T) {
	dir := write(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.999\n-- a.go --\npackage a\n")
	for _, toolchain := range []string{"local", "auto"} {
		_, err := Run(t.Context(), Options{Dir: dir, Env: offline("GOMODCACHE="+t.TempDir(), "GOTOOLCHAIN="+toolchain)})
		if err == nil || !strings.Contains(err.Error(), "--allow-download") || !strings.Contains(err.Error(), "1.999") {
			t.Errorf("%s: error = %v", toolchain, err)
		}
	}
}
