package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// generatedOpenAPI is a file that releases up to 1.22 generate in their build. Their
// published sources lack it.
const generatedOpenAPI = "pkg/generated/openapi/zz_generated.openapi.go"

// Releases up to 1.21 require reflect2 1.0.1, which panics with the maps of the
// present Go.
const oldReflect2, newReflect2 = "github.com/modern-go/reflect2 v1.0.1", "github.com/modern-go/reflect2 v1.0.2"

// complete returns a directory with sources of a release that can be built, or "" if the
// downloaded module can be built as it is. Releases up to 1.22 lack the generated OpenAPI
// description of the API. A server works without it: only server-side apply and kubectl
// explain need it.
func complete(ctx context.Context, downloaded, dir string) (string, error) {
	if _, err := os.Stat(filepath.Join(downloaded, filepath.FromSlash(generatedOpenAPI))); err == nil {
		return "", nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	sources := filepath.Join(dir, "kubernetes")
	if err := os.CopyFS(sources, os.DirFS(downloaded)); err != nil {
		return "", err
	}
	// The go command stores modules read-only.
	if out, err := exec.CommandContext(ctx, "chmod", "-R", "u+w", sources).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	const empty = `package openapi

import "k8s.io/kube-openapi/pkg/common"

func GetOpenAPIDefinitions(common.ReferenceCallback) map[string]common.OpenAPIDefinition { return nil }
`
	if err := os.WriteFile(filepath.Join(sources, filepath.FromSlash(generatedOpenAPI)), []byte(empty), 0o644); err != nil {
		return "", err
	}
	file := filepath.Join(sources, "cmd", "kube-apiserver", "app", "server.go")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	at := configured.FindIndex(text)
	if at == nil {
		return "", errors.New("the place where kube-apiserver's configuration is complete was not found")
	}
	text = bytes.Join([][]byte{text[:at[1]], []byte("\tkubeAPIServerConfig.GenericConfig.OpenAPIConfig = nil\n"), text[at[1]:]}, nil)
	return sources, os.WriteFile(file, text, 0o644)
}

// configured matches the code in CreateServerChain that creates the configuration for all
// servers of the process.
var configured = regexp.MustCompile(`(?m)^\tkubeAPIServerConfig, .*CreateKubeAPIServerConfig\(.*\)\n\tif err != nil \{\n\t\treturn nil, err\n\t\}\n`)

// unavailableModules are modules that old releases require, and that are no longer
// available. kube-apiserver does not use their packages.
var unavailableModules = []string{"vbom.ml/util"}

// writeEmptyModules creates empty modules in dir for unavailableModules. It returns the
// replacements for a go.mod.
func writeEmptyModules(dir string) (string, error) {
	var replace strings.Builder
	for i, path := range unavailableModules {
		name := fmt.Sprintf("gone%d", i)
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name, "go.mod"), []byte("module "+path+"\n"), 0o644); err != nil {
			return "", err
		}
		fmt.Fprintf(&replace, "replace %s => ./%s\n", path, name)
	}
	return replace.String(), nil
}

// withNewReflect2 returns the replacements in a release's go.mod with a reflect2 that
// works with the present Go.
func withNewReflect2(replace string) string {
	return strings.ReplaceAll(replace, oldReflect2, newReflect2)
}
