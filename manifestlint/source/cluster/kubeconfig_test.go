package cluster_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/clusterreplay"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
)

// TestKubeconfigIsBounded checks that a kubeconfig that is too large or never
// ends is refused, and that the error has its name.
func TestKubeconfigIsBounded(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 8<<30); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	files := []string{large}
	if runtime.GOOS != "windows" {
		files = append(files, "/dev/zero")
	}
	for _, name := range files {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: name})
		runtime.ReadMemStats(&after)
		var mistake *cluster.ConfigError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), name+" is larger than 16 MiB") {
			t.Errorf("%s: %v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 256<<20 {
			t.Errorf("%s took %d MiB", name, n>>20)
		}
	}
}

// TestKubeconfigFromPipe reads a kubeconfig from a pipe, as in --kubeconfig
// <(command).
func TestKubeconfigFromPipe(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc/self/fd names open pipes on Linux only")
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"gitVersion":"v1.33.4"}`)
	}))
	defer s.Close()
	text := (&clusterreplay.Server{Server: s}).Kubeconfig("prod")
	go func() {
		io.WriteString(out, text)
		out.Close()
	}()
	c, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: fmt.Sprintf("/proc/self/fd/%d", in.Fd())})
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "cluster:prod" || c.GitVersion != "v1.33.4" {
		t.Errorf("connected to %s, %s", c.Name, c.GitVersion)
	}
}
