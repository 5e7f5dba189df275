package audithook

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/server"
)

// rig is a directory with the program kubevet and the files of a test.
type rig struct {
	t *testing.T
	// apiserver is the program of the newest release. version is its version.
	apiserver, version string
	dir                string
}

// newRig returns a rig. It skips the test if there are no servers.
func newRig(t *testing.T) *rig {
	servers := os.Getenv("KUBEVET_ORACLE_SERVERS")
	if servers == "" {
		t.Skip("KUBEVET_ORACLE_SERVERS names no directory with kube-apiservers")
	}
	r := &rig{t: t, version: release.Versions()[0], dir: *keep}
	r.apiserver = filepath.Join(servers, "kube-apiserver-"+r.version)
	if _, err := os.Stat(r.apiserver); err != nil {
		t.Fatal(err)
	}
	if r.dir == "" {
		var err error
		// A test directory would be removed before the server has ended.
		if r.dir, err = os.MkdirTemp("", "audithook-"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(r.dir) })
	}
	build := exec.Command("go", "build", "-o", r.file("kubevet"), "./cmd/kubevet")
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return r
}

func (r *rig) file(name string) string { return filepath.Join(r.dir, name) }

func (r *rig) write(name, text string) string {
	r.t.Helper()
	if err := os.WriteFile(r.file(name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return r.file(name)
}

// server starts an API server with additional arguments. It returns a function that stops
// the server.
func (r *rig) server(args ...string) (*client.Server, func()) {
	r.t.Helper()
	run := release.Run(r.apiserver, r.file("kube-apiserver.log"))
	at, stop, err := server.Start(r.t.Context(), server.Options{Name: r.version, Dir: r.dir, Run: func(ctx context.Context, usual []string) error {
		return run(ctx, append(usual, args...))
	}})
	if err != nil {
		r.t.Fatal(err)
	}
	return at, sync.OnceFunc(stop)
}

// document is the part of a report that is compared.
type document struct {
	Deprecated struct {
		Requests int64
		Rows     []struct {
			Group map[string]string
			Count int64
		}
	}
	Clients []struct {
		User, Agent                    string
		Requests, Reads, Writes        int64
		UnnamedWrites, NamedWrites     int64
		Creates, Updates, Patches      int64
		Deletes, LockConflicts         int64
		Applies, AlreadyExists, Puts   int64
		ForcedApplies, DryRuns         int64
		ManagerConflicts, Impersonated int64
	}
	Fights []struct {
		Rule      string
		Object    map[string]string
		Reversals int64
		Evidence  string
	}
	Summary struct{ Requests, Events, Damaged int64 }
}

// report returns the JSON report of kubevet audit.
func report(t *testing.T, kubevet string, files ...string) *document {
	t.Helper()
	cmd := exec.Command(kubevet, append([]string{"audit", "-q", "-o", "json", "--fail-on", "never"}, files...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	d := &document{}
	if err := json.Unmarshal(out, d); err != nil {
		t.Fatal(err)
	}
	return d
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
