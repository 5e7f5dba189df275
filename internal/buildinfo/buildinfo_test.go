package buildinfo

import (
	"archive/zip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

const module = "github.com/kubevet/kubevet"

func TestOf(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-01-02T15:04:05Z"}, {Key: "vcs.modified", Value: "true"}}
	for _, tt := range []struct {
		version  string
		settings []debug.BuildSetting
		want     Info
	}{
		{"", nil, Info{Version: "devel"}},
		{"(devel)", nil, Info{Version: "devel"}},
		{"(devel)", vcs, Info{Version: "devel", Commit: "0123456789abcdef", Modified: true, Date: "2026-01-02T15:04:05Z"}},
		{"v1.2.3", nil, Info{Version: "v1.2.3"}},
		{"v1.2.3-rc.1", nil, Info{Version: "v1.2.3-rc.1"}},
		{"v0.0.0-20260102150405-0123456789ab", nil, Info{Version: "v0.0.0-20260102150405-0123456789ab", Commit: "0123456789ab", Date: "2026-01-02T15:04:05Z"}},
		{"v1.2.4-0.20260102150405-0123456789ab", nil, Info{Version: "v1.2.4-0.20260102150405-0123456789ab", Commit: "0123456789ab", Date: "2026-01-02T15:04:05Z"}},
		{"v1.2.4-rc.1.0.20260102150405-0123456789ab+dirty", nil, Info{Version: "v1.2.4-rc.1.0.20260102150405-0123456789ab+dirty", Commit: "0123456789ab", Date: "2026-01-02T15:04:05Z"}},
		{"v1.2.4-0.20269902150405-0123456789ab", nil, Info{Version: "v1.2.4-0.20269902150405-0123456789ab"}},
	} {
		if got := fromGoBuild(&debug.BuildInfo{Main: debug.Module{Version: tt.version}, Settings: tt.settings}); got != tt.want {
			t.Errorf("%q with %d settings: %+v, want %+v", tt.version, len(tt.settings), got, tt.want)
		}
	}
}

// program prints the result of Read.
const program = `package main

import (
	"fmt"

	"` + module + `/internal/buildinfo"
)

func main() { fmt.Printf("%+v\n", buildinfo.Read()) }
`

// TestInstall installs a program with this package from a module proxy, as users install
// kubevet. It also builds the program as a release.
func TestInstall(t *testing.T) {
	text, err := os.ReadFile("buildinfo.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module " + module + "\n\ngo 1.24\n", "cmd/kubevet/main.go": program, "internal/buildinfo/buildinfo.go": string(text)}
	dir := t.TempDir()
	install := func(version string) string {
		serve(t, dir, version, files)
		command(t, dir, "go", "install", module+"/cmd/kubevet@"+version)
		return command(t, dir, filepath.Join(dir, "bin", "kubevet"))
	}
	if got, want := install("v0.9.0"), "{Version:v0.9.0 Commit: Modified:false Date:}\n"; got != want {
		t.Errorf("a tag: %s, want %s", got, want)
	}
	const pseudo = "v0.9.1-0.20260102150405-0123456789ab"
	if got, want := install(pseudo), "{Version:"+pseudo+" Commit:0123456789ab Modified:false Date:2026-01-02T15:04:05Z}\n"; got != want {
		t.Errorf("a commit: %s, want %s", got, want)
	}
	flags := ""
	for _, set := range []string{"version=v0.9.0", "commit=0123456789abcdef", "date=2026-01-02T15:04:05Z"} {
		flags += " -X " + module + "/internal/buildinfo." + set
	}
	command(t, dir, "go", "build", "-C", filepath.Join(dir, "mod", module+"@v0.9.0"), "-ldflags="+flags, "-o", filepath.Join(dir, "released.exe"), "./cmd/kubevet")
	if got, want := command(t, dir, filepath.Join(dir, "released.exe")), "{Version:v0.9.0 Commit:0123456789abcdef Modified:false Date:2026-01-02T15:04:05Z}\n"; got != want {
		t.Errorf("a release: %s, want %s", got, want)
	}
}

// serve adds a version of the module to the module proxy in dir.
func serve(t *testing.T, dir, version string, files map[string]string) {
	t.Helper()
	folder := filepath.Join(dir, "proxy", module, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	info := fmt.Sprintf(`{"Version":%q,"Time":"2026-01-02T15:04:05Z"}`, version)
	for name, text := range map[string]string{"list": "v0.9.0\n", version + ".info": info, version + ".mod": files["go.mod"]} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(folder, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	for name, text := range files {
		entry, err := w.Create(module + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// command runs a program that uses the module proxy in dir. It returns the standard
// output.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOBIN="+filepath.Join(dir, "bin"), "GOMODCACHE="+filepath.Join(dir, "mod"), "GOFLAGS=-modcacherw",
		"GOPROXY=file:///"+strings.TrimPrefix(filepath.ToSlash(filepath.Join(dir, "proxy")), "/"), "GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return string(out)
}
