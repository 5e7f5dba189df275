package release

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// config has the keys of .goreleaser.yaml that contain names of files.
type config struct {
	Builds []struct{ Goos, Goarch []string }

	Archives []struct {
		NameTemplate    string `yaml:"name_template"`
		Formats         []string
		FormatOverrides []struct {
			Goos    string
			Formats []string
		} `yaml:"format_overrides"`
	}
	Checksum struct {
		NameTemplate string `yaml:"name_template"`
	}
	Sboms []struct{ Documents []string }
	Signs []struct{ Signature string }
	Nfpms []struct {
		FileNameTemplate string `yaml:"file_name_template"`
		Formats          []string
	}
	Release struct {
		ExtraFiles []struct{ Glob string } `yaml:"extra_files"`
	}
}

type assets struct {
	archives, packages, sboms []string
	// checksums is the name of the file with the checksums of these files.
	checksums string
	// signature is the name of the signature of the checksums. extra has the paths of the
	// files for package managers.
	signature string
	extra     []string
}

// all returns the names with which the address of a file may end.
func (a assets) all() []string {
	names := slices.Concat(a.archives, a.packages, a.sboms, []string{a.checksums, a.signature})
	for _, path := range a.extra {
		names = append(names, filepath.Base(path))
	}
	return names
}

// readAssets reads the names from the configuration of GoReleaser.
func readAssets(t *testing.T) assets {
	t.Helper()
	var c config
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(top, ".goreleaser.yaml"))), &c); err != nil {
		t.Fatal(err)
	}
	a := assets{checksums: c.Checksum.NameTemplate, signature: strings.Replace(c.Signs[0].Signature, "${artifact}", c.Checksum.NameTemplate, 1)}
	for _, os := range c.Builds[0].Goos {
		for _, arch := range c.Builds[0].Goarch {
			name := func(template string) string {
				return strings.NewReplacer("{{ .Os }}", os, "{{ .Arch }}", arch).Replace(template)
			}
			format := c.Archives[0].Formats[0]
			for _, o := range c.Archives[0].FormatOverrides {
				if o.Goos == os {
					format = o.Formats[0]
				}
			}
			a.archives = append(a.archives, name(c.Archives[0].NameTemplate)+"."+format)
			a.sboms = append(a.sboms, name(c.Sboms[0].Documents[0]))
			if os == "linux" {
				for _, format := range c.Nfpms[0].Formats {
					a.packages = append(a.packages, name(c.Nfpms[0].FileNameTemplate)+"."+format)
				}
			}
		}
	}
	for _, f := range c.Release.ExtraFiles {
		a.extra = append(a.extra, f.Glob)
	}
	return a
}

func TestAssets(t *testing.T) {
	a := readAssets(t)
	want := []string{
		"kubevet_linux_amd64.tar.gz", "kubevet_linux_arm64.tar.gz", "kubevet_darwin_amd64.tar.gz", "kubevet_darwin_arm64.tar.gz",
		"kubevet_windows_amd64.zip", "kubevet_windows_arm64.zip",
	}
	if !slices.Equal(a.archives, want) {
		t.Errorf("archives %q", a.archives)
	}
	if len(a.packages) != 6 || len(a.sboms) != 6 || a.signature != "checksums.txt.sigstore.json" {
		t.Errorf("%+v", a)
	}
}

// TestMentioned checks that documents and integrations name only files, images and
// components that a release has.
func TestMentioned(t *testing.T) {
	names := readAssets(t).all()
	address := regexp.MustCompile(`releases/(?:latest/download|download/[^/\s]+)/([\w.-]+\w)`)
	file := regexp.MustCompile(`\bkubevet_(?:linux|darwin|windows)_[\w.]+\w`)
	image := regexp.MustCompile(`ghcr\.io/kubevet/kubevet:(\$\[\[ inputs\.version \]\]\S*|[^\s"` + "`" + `]+)`)
	tag := regexp.MustCompile(`^(?:latest|v\d+\.\d+\.\d+|v\{\{ \.Version \}\}|\$\[\[ inputs\.version \]\]|\$version)(?:-go)?$`)
	mentioned := 0
	for _, pattern := range []string{"*.md", "*.sh", "*.yml", "docs/*.md", "templates/*.yml", "deploy/*", "deploy/*/*", ".github/workflows/*.yml"} {
		paths, err := filepath.Glob(filepath.Join(top, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if filepath.Ext(path) == "" {
				continue // the path is a directory
			}
			text := read(t, path)
			for _, m := range append(address.FindAllStringSubmatch(text, -1), file.FindAllStringSubmatch(text, -1)...) {
				mentioned++
				if !slices.Contains(names, m[len(m)-1]) {
					t.Errorf("%s names %s, which no release has", path, m[len(m)-1])
				}
			}
			for _, m := range image.FindAllStringSubmatch(text, -1) {
				mentioned++
				if !tag.MatchString(m[1]) {
					t.Errorf("%s names an image %s", path, m[1])
				}
			}
		}
	}
	if mentioned < 20 {
		t.Errorf("only %d places found", mentioned)
	}
}

// TestOneProgram checks that go install ./... builds only kubevet. pre-commit installs
// its hook with this command.
func TestOneProgram(t *testing.T) {
	got := command(t, top, "go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, "./...")
	if got := strings.TrimSpace(got); got != "github.com/kubevet/kubevet/cmd/kubevet" {
		t.Errorf("the programs of the module are\n%s", got)
	}
}
