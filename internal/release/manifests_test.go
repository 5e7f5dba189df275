package release

import (
	"archive/zip"
	"debug/buildinfo"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// address returns the address of a file in the release.
func (d dist) address(name string) string {
	return "https://github.com/kubevet/kubevet/releases/download/" + d.Tag + "/" + name
}

// TestDistKrew checks the files that krew downloads and runs.
func TestDistKrew(t *testing.T) {
	d := builtRelease(t)
	var plugin struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			Version          string
			ShortDescription string `yaml:"shortDescription"`
			Platforms        []struct {
				URI, Sha256, Bin string
				Selector         struct {
					MatchLabels map[string]string `yaml:"matchLabels"`
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, d.path("kubevet.yaml"))), &plugin); err != nil {
		t.Fatal(err)
	}
	if plugin.Kind != "Plugin" || plugin.Metadata.Name != "kubevet" || plugin.Spec.Version != "v"+d.Version || len(plugin.Spec.ShortDescription) > 50 {
		t.Errorf("%+v", plugin)
	}
	var found []string
	for _, p := range plugin.Spec.Platforms {
		name := filepath.Base(p.URI)
		goos, goarch := platform(name)
		if p.URI != d.address(name) || p.Sha256 != d.sum(t, name) || p.Selector.MatchLabels["os"] != goos || p.Selector.MatchLabels["arch"] != goarch {
			t.Errorf("%+v", p)
		}
		if want := map[bool]string{true: "kubevet.exe"}[goos == "windows"]; p.Bin != want && p.Bin != "kubevet" {
			t.Errorf("%s runs %s", name, p.Bin)
		}
		found = append(found, name)
	}
	slices.Sort(found)
	if want := slices.Sorted(slices.Values(d.archives)); !slices.Equal(found, want) {
		t.Errorf("platforms %q, want %q", found, want)
	}
}

// TestDistScoop checks the files that Scoop downloads and runs.
func TestDistScoop(t *testing.T) {
	d := builtRelease(t)
	var manifest struct {
		Version      string
		Architecture map[string]struct {
			URL, Hash string
			Bin       []string
		}
	}
	if err := json.Unmarshal([]byte(read(t, d.path("kubevet.json"))), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Architecture) != 2 || manifest.Version != d.Version {
		t.Errorf("%+v", manifest)
	}
	for arch, name := range map[string]string{"64bit": "kubevet_windows_amd64.zip", "arm64": "kubevet_windows_arm64.zip"} {
		a := manifest.Architecture[arch]
		if a.URL != d.address(name) || a.Hash != d.sum(t, name) || !slices.Equal(a.Bin, []string{"kubevet.exe"}) {
			t.Errorf("%s: %+v", arch, a)
		}
	}
}

// TestDistCask checks the files that Homebrew downloads. If Ruby is installed, it also
// checks that Ruby can parse the cask.
func TestDistCask(t *testing.T) {
	d := builtRelease(t)
	text := read(t, d.path("kubevet.rb"))
	for _, file := range []string{"man/kubevet.1", "completions/kubevet.bash", "completions/kubevet.zsh", "completions/kubevet.fish"} {
		if !strings.Contains(text, `"`+file+`"`) {
			t.Errorf("%s is not installed", file)
		}
	}
	sums := regexp.MustCompile(`sha256 "([0-9a-f]{64})"`).FindAllStringSubmatch(text, -1)
	if len(sums) != 4 {
		t.Fatalf("%d checksums:\n%s", len(sums), text)
	}
	for _, name := range d.archives {
		if strings.Contains(name, "windows") {
			continue
		}
		sum := d.sum(t, name)
		if !strings.Contains(text, `sha256 "`+sum+`"`) {
			t.Errorf("no checksum of %s", name)
		}
		// The address of a file comes directly before its checksum.
		before, _, _ := strings.Cut(text, sum)
		if !strings.HasPrefix(before[strings.LastIndex(before, "https://"):], d.address(name)+`"`) {
			t.Errorf("%s is not beside its checksum:\n%s", name, text)
		}
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		command(t, d.dir, ruby, "-c", d.path("kubevet.rb"))
	}
}

// TestDistSBOM compares each software bill of materials with the modules in the program.
func TestDistSBOM(t *testing.T) {
	d := builtRelease(t)
	for i, name := range d.sboms {
		var bom struct {
			Format     string `json:"bomFormat"`
			Components []struct{ Purl string }
			Metadata   struct{ Component struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(read(t, d.path(name))), &bom); err != nil {
			t.Fatal(err)
		}
		if bom.Format != "CycloneDX" || bom.Metadata.Component.Name != "github.com/kubevet/kubevet" {
			t.Errorf("%s: %s of %s", name, bom.Format, bom.Metadata.Component.Name)
		}
		dir, program := t.TempDir(), "kubevet"
		if strings.HasSuffix(d.archives[i], ".zip") {
			program = "kubevet.exe"
			unpackZip(t, d.path(d.archives[i]), dir)
		} else {
			command(t, dir, "tar", "-xzf", d.path(d.archives[i]), program)
		}
		info, err := buildinfo.ReadFile(filepath.Join(dir, program))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range info.Deps {
			if !slices.ContainsFunc(bom.Components, func(c struct{ Purl string }) bool {
				return strings.HasPrefix(c.Purl, "pkg:golang/"+m.Path+"@"+m.Version)
			}) {
				t.Errorf("%s lacks %s %s", name, m.Path, m.Version)
			}
		}
	}
}

func unpackZip(t *testing.T, path, dir string) {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, f.Mode()); err != nil {
			t.Fatal(err)
		}
	}
}
