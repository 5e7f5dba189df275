package release

import (
	"path/filepath"
	"strings"
	"testing"
)

// goImage returns the name of the container image with the Go version of go.mod.
func goImage(t *testing.T) string {
	t.Helper()
	_, version, _ := strings.Cut(read(t, filepath.Join(top, "go.mod")), "\ngo ")
	parts := strings.SplitN(version, ".", 3)
	return "FROM golang:" + parts[0] + "." + parts[1]
}

// TestDockerfile compares deploy/Dockerfile with the repository. It does not build the
// image, because many machines cannot.
func TestDockerfile(t *testing.T) {
	text := read(t, filepath.Join(top, "deploy", "Dockerfile"))
	if want := goImage(t) + " AS build"; !strings.Contains(text, want) {
		t.Errorf("there is no %q, as go.mod has it", want)
	}
	for _, line := range []string{"CGO_ENABLED=0 go build", "./cmd/kubevet\n", "info=github.com/kubevet/kubevet/internal/buildinfo ", "\nFROM scratch\n", "\nCOPY --from=build /out/kubevet /kubevet\n", "\nENTRYPOINT [\"/kubevet\"]\n", "\nUSER 65532:65532\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("there is no %q", line)
		}
	}
	ignored := read(t, filepath.Join(top, ".dockerignore"))
	for _, needed := range []string{"rules", "*.md", "schema"} {
		if strings.Contains(ignored, needed) {
			t.Errorf("%s is left out, and compiled in", needed)
		}
	}
}

// TestReleaseDockerfile checks that the images of a release use the Go version of go.mod,
// and that GoReleaser builds both images.
func TestReleaseDockerfile(t *testing.T) {
	text := read(t, filepath.Join(top, "deploy", "release.Dockerfile"))
	if want := goImage(t) + "-bookworm AS go\n"; !strings.Contains(text, want) {
		t.Errorf("there is no %q, as go.mod has it", want)
	}
	for _, stage := range strings.Split(text, "\nFROM ")[1:] {
		for _, line := range []string{"\nCOPY $TARGETPLATFORM/kubevet /usr/bin/kubevet\n", "\nUSER 65532:65532\n", "\nENTRYPOINT [\"/usr/bin/kubevet\"]\n"} {
			if !strings.Contains(stage, line) {
				t.Errorf("there is no %q in %.20q", line, stage)
			}
		}
		if strings.Contains(stage, "\nRUN ") {
			t.Error("RUN needs an emulator for the other platform")
		}
	}
	config := read(t, filepath.Join(top, ".goreleaser.yaml"))
	for _, target := range []string{"go", "small"} {
		if !strings.Contains(text, " AS "+target+"\n") || !strings.Contains(config, "[--target="+target+"]") {
			t.Errorf("target %s is not in both files", target)
		}
	}
}
