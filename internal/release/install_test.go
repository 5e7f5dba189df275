package release

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// installer runs install.sh with a test server.
type installer struct {
	*releases
	dir     string
	path    string // the variable PATH
	sh      string
	archive string
}

func newInstaller(t *testing.T) *installer {
	t.Helper()
	sh, bash := shell(t, "sh"), shell(t, "bash")
	return &installer{releases: newReleases(t, bash), dir: t.TempDir(), path: os.Getenv("PATH"), sh: sh, archive: "kubevet_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"}
}

func (i *installer) run(script string, args ...string) (string, error) {
	cmd := exec.Command(i.sh, append([]string{"-s", "--"}, args...)...)
	cmd.Dir = i.dir
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = []string{"PATH=" + i.path, "HOME=" + filepath.Join(i.dir, "home"), "TMPDIR=" + i.dir, "KUBEVET_RELEASES=" + i.URL}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// setPrograms sets PATH to a directory with exactly these programs.
func (i *installer) setPrograms(t *testing.T, names ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range append(names, "uname", "id", "mktemp", "rm", "mkdir", "cp", "mv", "chmod", "awk", "cut", "tar", "gzip", "head", "cat") {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("there is no %s", name)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	i.path = dir
}

func TestInstaller(t *testing.T) {
	script := read(t, filepath.Join(top, "install.sh"))
	for _, tools := range [][]string{{"curl", "sha256sum"}, {"wget", "sha256sum"}, {"curl", "shasum", "perl"}, {"curl", "openssl"}} {
		t.Run(strings.Join(tools, " "), func(t *testing.T) {
			i := newInstaller(t)
			i.setPrograms(t, tools...)
			out, err := i.run(script, "-b", "it's bin")
			if err != nil || !strings.HasPrefix(out, "kubevet v0.3.0 (stub)\n") || !strings.Contains(out, "is not on PATH") {
				t.Fatalf("%v\n%s", err, out)
			}
			if info, err := os.Stat(filepath.Join(i.dir, "it's bin", "kubevet")); err != nil || info.Mode() != 0o755 {
				t.Errorf("%v, %v", info, err)
			}
			if got := i.downloads(); got != "checksums.txt "+i.archive {
				t.Errorf("downloads %s", got)
			}
			if left, _ := filepath.Glob(filepath.Join(i.dir, "tmp*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestInstallerVersion(t *testing.T) {
	script := read(t, filepath.Join(top, "install.sh"))
	i := newInstaller(t)
	if out, err := i.run(script, "-v", "v0.3.0", "-b", "bin"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for version, want := range map[string]string{
		"v0.4.0":           "could not download " + i.URL + "/download/v0.4.0/checksums.txt",
		"0.3.0":            "0.3.0 is not a version such as v0.1.0",
		"v0; touch hacked": "could not download",
		"":                 "is not a version",
	} {
		if out, err := i.run(script, "-v", version, "-b", "other"); err == nil || !strings.Contains(out, want) {
			t.Errorf("%q: %v\n%s", version, err, out)
		}
	}
	for _, args := range [][]string{{"-x"}, {"more"}} {
		if out, err := i.run(script, args...); err == nil || !strings.Contains(out, "usage: install.sh") {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
	for _, name := range []string{"other", "hacked"} {
		if _, err := os.Stat(filepath.Join(i.dir, name)); err == nil {
			t.Errorf("there is %s", name)
		}
	}
}

// TestInstallerRefuses checks archives that differ from the archives of the release.
// Nothing must be installed, and an installed kubevet must not change.
func TestInstallerRefuses(t *testing.T) {
	script := read(t, filepath.Join(top, "install.sh"))
	for _, tt := range []struct {
		name   string
		change func(i *installer)
		want   string
	}{
		{"another archive", func(i *installer) { i.files[i.archive] = append(i.files[i.archive], 0) }, "nothing is installed"},
		{"another checksum", func(i *installer) {
			i.files["checksums.txt"] = fmt.Appendf(nil, "%064d  %s\n", 0, i.archive)
		}, "not " + strings.Repeat("0", 64)},
		{"no checksum", func(i *installer) { i.files["checksums.txt"] = []byte("x  y\n") }, "has no checksum of kubevet_"},
		{"a page as checksums", func(i *installer) {
			i.files["checksums.txt"] = []byte("<html> " + i.archive + "\n")
		}, "has no checksum of kubevet_"},
		{"two checksums", func(i *installer) {
			i.files["checksums.txt"] = append(i.files["checksums.txt"], fmt.Appendf(nil, "%064d  %s\n", 0, i.archive)...)
		}, "has no checksum of kubevet_"},
		{"no archive", func(i *installer) { delete(i.files, i.archive) }, "could not download"},
		{"no download tool", func(i *installer) { i.path = "" }, "needs curl or wget"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i := newInstaller(t)
			tt.change(i)
			if i.path == "" {
				i.setPrograms(t, "sha256sum")
			}
			old := filepath.Join(i.dir, "bin", "kubevet")
			write(t, old, "old", 0o755)
			out, err := i.run(script, "-b", "bin", "-c", "cache")
			if err == nil || !strings.Contains(out, tt.want) {
				t.Errorf("%v\n%s", err, out)
			}
			if got := read(t, old); got != "old" {
				t.Errorf("installed: %.40q", got)
			}
			if _, err := os.Stat(filepath.Join(i.dir, "cache")); err == nil {
				t.Error("the archive is in the cache")
			}
		})
	}
}

// TestInstallerCache checks that an archive is downloaded only once. An archive in the
// cache that differs from the release must be downloaded again.
func TestInstallerCache(t *testing.T) {
	script := read(t, filepath.Join(top, "install.sh"))
	i := newInstaller(t)
	for _, want := range []string{"checksums.txt " + i.archive, "checksums.txt", "checksums.txt " + i.archive} {
		if out, err := i.run(script, "-b", "bin", "-c", "cache"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got := i.downloads(); got != want {
			t.Errorf("downloads %s, want %s", got, want)
		}
		if want == "checksums.txt" {
			write(t, filepath.Join(i.dir, "cache", i.archive), "another archive", 0o644)
		}
	}
}

// TestInstallerCut runs the first part of the script, as a shell does if the download
// breaks off.
func TestInstallerCut(t *testing.T) {
	script := read(t, filepath.Join(top, "install.sh"))
	i := newInstaller(t)
	last := strings.LastIndex(script, `main "$@"`)
	for _, end := range []int{len(script) / 4, len(script) / 2, len(script) * 3 / 4, last} {
		i.run(script[:end])
		if got := i.downloads(); got != "" {
			t.Errorf("with %d of %d bytes it downloads %s", end, len(script), got)
		}
	}
}
