package release

import (
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestReleaseNotes runs the workflow's step that extracts the text of a release from the
// changelog.
func TestReleaseNotes(t *testing.T) {
	var workflow struct {
		Jobs struct {
			Release struct {
				Steps []struct{ Name, Run string }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(top, ".github", "workflows", "release.yml"))), &workflow); err != nil {
		t.Fatal(err)
	}
	script := ""
	for _, step := range workflow.Jobs.Release.Steps {
		if strings.Contains(step.Run, "CHANGELOG.md") {
			script = step.Run
		}
	}
	const changelog = "# Changelog\n\n## Unreleased\n\n- new\n\n## v0.2.0 (2027-01-02)\n\n### Added\n\n- two\n\n## v0.1.0\n\n- one\n"
	for _, tt := range []struct{ tag, want string }{
		{"v0.2.0", "\n### Added\n\n- two\n\n"},
		{"v0.1.0", "\n- one\n"},
		{"v0.1", ""},
		{"v0.3.0", ""},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "CHANGELOG.md"), changelog, 0o644)
		_, out, err := execute(t, dir, script, nil, "GITHUB_REF_NAME="+tt.tag, "RUNNER_TEMP="+dir)
		if (err != nil) != (tt.want == "") || err != nil && !strings.Contains(out, "::error::CHANGELOG.md has no section "+tt.tag) {
			t.Errorf("%s: %v %s", tt.tag, err, out)
		}
		if got := read(t, filepath.Join(dir, "notes.md")); got != tt.want {
			t.Errorf("%s: %q", tt.tag, got)
		}
	}
}
