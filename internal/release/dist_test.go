package release

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// dist is a release that was built to a directory.
type dist struct {
	assets
	dir string
	// Version and Commit are the values that `kubevet version` must print. Tag is a part
	// of the addresses of files. In a snapshot, Tag differs from Version.
	Version, Commit, Tag string
}

// builtRelease returns the release in the directory KUBEVET_DIST. Without this variable,
// it skips the test.
func builtRelease(t *testing.T) dist {
	t.Helper()
	dir := os.Getenv("KUBEVET_DIST")
	if dir == "" {
		t.Skip("set KUBEVET_DIST to the directory of a release; make snapshot builds one")
	}
	d := dist{assets: readAssets(t), dir: dir}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "metadata.json"))), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d dist) path(name string) string {
	for _, path := range d.extra {
		if filepath.Base(path) == name && strings.HasPrefix(path, "dist/") {
			return filepath.Join(d.dir, strings.TrimPrefix(path, "dist/"))
		}
	}
	return filepath.Join(d.dir, name)
}

func (d dist) sum(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(d.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// TestDistChecksums checks that checksums.txt has all files of the release.
func TestDistChecksums(t *testing.T) {
	d := builtRelease(t)
	sums := map[string]string{}
	for line := range strings.Lines(read(t, d.path(d.checksums))) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			t.Fatalf("line %q", line)
		}
		sums[fields[1]] = fields[0]
	}
	for _, name := range slices.Concat(d.archives, d.packages, d.sboms) {
		if got, want := sums[name], d.sum(t, name); got != want {
			t.Errorf("%s has the checksum %s, not %q", name, want, got)
		}
		delete(sums, name)
	}
	if len(sums) > 0 {
		t.Errorf("more files: %v", sums)
	}
}

// platform returns the operating system and the processor in the name of a file.
func platform(name string) (goos, goarch string) {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "kubevet_"), ".")
	goos, goarch, _ = strings.Cut(name, "_")
	return goos, goarch
}

// TestDistArchives unpacks the archives and checks their files.
func TestDistArchives(t *testing.T) {
	d := builtRelease(t)
	for _, name := range d.archives {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			program := "kubevet"
			if strings.HasSuffix(name, ".zip") {
				program = "kubevet.exe"
				unpackZip(t, d.path(name), dir)
			} else {
				command(t, dir, "tar", "-xzf", d.path(name))
				listing := command(t, dir, "tar", "-tvzf", d.path(name))
				if strings.Count(listing, "root/root") != strings.Count(listing, "\n") || strings.Count(listing, "-rwxr-xr-x") != 1 {
					t.Errorf("owners or modes:\n%s", listing)
				}
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != 5 {
				t.Errorf("%v, %v", entries, err)
			}
			for _, file := range []string{"LICENSE", "README.md", "man/kubevet.1", "man/kubevet-lint.1", "completions/kubevet.bash", "completions/kubevet.zsh", "completions/kubevet.fish", "completions/kubevet.ps1"} {
				if read(t, filepath.Join(dir, file)) == "" {
					t.Errorf("%s is empty", file)
				}
			}
			d.checkProgram(t, filepath.Join(dir, program), name)
		})
	}
}

// TestDistPackages unpacks the packages with the tools of their package managers.
func TestDistPackages(t *testing.T) {
	d := builtRelease(t)
	unpack := map[string]struct {
		needs  []string
		script string
	}{
		".deb": {[]string{"dpkg-deb"}, `dpkg-deb -x "$0" . && dpkg-deb -f "$0" Package Depends Recommends License`},
		// rpm checks the digests. The exit status of rpm2cpio is ignored, because it
		// depends on a size that is optional in a package.
		".rpm": {[]string{"rpm", "rpm2cpio", "cpio"}, `rpm -K --nosignature "$0" && { rpm2cpio "$0" || true; } | cpio -id --quiet --no-absolute-filenames`},
		".apk": {[]string{"tar"}, `tar -xzf "$0" && cat .PKGINFO`},
	}
	for _, name := range d.packages {
		t.Run(name, func(t *testing.T) {
			u := unpack[filepath.Ext(name)]
			for _, program := range u.needs {
				if _, err := exec.LookPath(program); err != nil {
					t.Skipf("there is no %s", program)
				}
			}
			dir := t.TempDir()
			t.Log(command(t, dir, "bash", "-o", "pipefail", "-c", u.script, d.path(name)))
			for file, want := range map[string]string{
				"doc/kubevet/copyright": "Apache License", "man/man1/kubevet-lint.1": ".SH", "bash-completion/completions/kubevet": "__kubevet",
				"zsh/vendor-completions/_kubevet": "#compdef kubevet", "fish/vendor_completions.d/kubevet.fish": "complete -c kubevet",
			} {
				if !strings.Contains(read(t, filepath.Join(dir, "usr/share", file)), want) {
					t.Errorf("%s lacks %q", file, want)
				}
			}
			d.checkProgram(t, filepath.Join(dir, "usr/bin/kubevet"), name)
		})
	}
}

// checkProgram checks the platform of a program, and runs the program if this machine
// can.
func (d dist) checkProgram(t *testing.T, path, name string) {
	t.Helper()
	goos, goarch := platform(name)
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	for key, want := range map[string]string{"GOOS": goos, "GOARCH": goarch, "CGO_ENABLED": "0", "-trimpath": "true"} {
		if settings[key] != want {
			t.Errorf("%s is %q, want %q", key, settings[key], want)
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	call := d.runnable(goos, goarch)
	if call == nil {
		t.Logf("%s cannot run here", name)
		return
	}
	call = append(call, path)
	d.checkVersion(t, command(t, top, call[0], append(call[1:], "version")...))
	out := command(t, top, call[0], append(call[1:], "lint", "--no-config", "--fail-on", "never", "--target", "1.37", "examples/shop/web.yaml")...)
	if !strings.Contains(out, "must be non-negative and less than terminationGracePeriodSeconds (30)") {
		t.Errorf("lint prints\n%s", out)
	}
	t.Logf("%s ran", name)
}

func (d dist) checkVersion(t *testing.T, out string) {
	t.Helper()
	first, _, _ := strings.Cut(out, "\n")
	if want := fmt.Sprintf("kubevet v%s (commit %.12s, ", d.Version, d.Commit); !strings.HasPrefix(first, want) || !strings.HasSuffix(first, "Z)") {
		t.Errorf("version prints %q, want %q and the date", first, want)
	}
}

// runnable returns the command that runs a program for a platform on this machine. It
// returns nil if this machine cannot run the program.
func (d dist) runnable(goos, goarch string) []string {
	switch {
	case goos == runtime.GOOS && goarch == runtime.GOARCH:
		return []string{"env"}
	case goos == "linux" && runtime.GOOS == "linux":
		emulator := map[string]string{"amd64": "qemu-x86_64-static", "arm64": "qemu-aarch64-static"}[goarch]
		if path, err := exec.LookPath(emulator); err == nil {
			return []string{path}
		}
	}
	return nil
}

// TestDistInstaller installs the release with install.sh.
func TestDistInstaller(t *testing.T) {
	d := builtRelease(t)
	sh := shell(t, "sh")
	server := httptest.NewServer(http.StripPrefix("/download/v"+d.Version, http.FileServer(http.Dir(d.dir))))
	defer server.Close()
	dir := t.TempDir()
	cmd := exec.Command(sh, filepath.Join(top, "install.sh"), "-v", "v"+d.Version, "-b", dir)
	cmd.Env = append(os.Environ(), "KUBEVET_RELEASES="+server.URL)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d.checkVersion(t, string(out))
	d.checkVersion(t, command(t, dir, filepath.Join(dir, "kubevet"), "version"))
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, errs.Bytes())
	}
	return string(out)
}
