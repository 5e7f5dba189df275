package apiuse

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestModuleAt(t *testing.T) {
	vendored := t.TempDir()
	if err := os.Mkdir(filepath.Join(vendored, "vendor"), 0o777); err != nil {
		t.Fatal(err)
	}
	list := "# k8s.io/api v0.30.1\n## explicit; go 1.22\nk8s.io/api/core/v1\n# k8s.io/client-go v12.0.0+incompatible => k8s.io/client-go v0.29.4\n# k8s.io/client-go => k8s.io/client-go v0.29.4\n"
	if err := os.WriteFile(filepath.Join(vendored, "vendor", "modules.txt"), []byte(list), 0o666); err != nil {
		t.Fatal(err)
	}
	vendored = filepath.ToSlash(vendored)
	for _, tt := range []struct {
		module, file string
		want         lifecycle.Module
	}{
		{"k8s.io/client-go", "/home/me/go/pkg/mod/k8s.io/client-go@v0.31.2/rest/config.go", lifecycle.Module{Path: "k8s.io/client-go", Version: "v0.31.2"}},
		{"k8s.io/client-go", "k8s.io/client-go@v0.31.2/rest/config.go", lifecycle.Module{Path: "k8s.io/client-go", Version: "v0.31.2"}}, // -trimpath
		{"k8s.io/client-go", "github.com/fork/client-go@v0.31.2/rest/config.go", lifecycle.Module{Path: "k8s.io/client-go", Replacement: "github.com/fork/client-go", ReplacementVersion: "v0.31.2"}},
		{"k8s.io/client-go", "/src/third_party/client-go/rest/config.go", lifecycle.Module{}},
		{"k8s.io/client-go", "", lifecycle.Module{}},
		{"k8s.io/api", vendored + "/vendor/k8s.io/api/core/v1/types.go", lifecycle.Module{Path: "k8s.io/api", Version: "v0.30.1"}},
		{"k8s.io/client-go", vendored + "/vendor/k8s.io/client-go/rest/config.go",
			lifecycle.Module{Path: "k8s.io/client-go", Version: "v12.0.0+incompatible", Replacement: "k8s.io/client-go", ReplacementVersion: "v0.29.4"}},
		{"k8s.io/apimachinery", vendored + "/vendor/k8s.io/apimachinery/pkg/types/types.go", lifecycle.Module{}},
		{"k8s.io/client-go", "/nowhere/vendor/k8s.io/client-go/rest/config.go", lifecycle.Module{}},
	} {
		if got, ok := moduleAt(tt.module, tt.file); got != tt.want || ok != (tt.want != lifecycle.Module{}) {
			t.Errorf("moduleAt(%q, %q) = %+v, %t; want %+v", tt.module, tt.file, got, ok, tt.want)
		}
	}
}
