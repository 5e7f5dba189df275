package main

import (
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/internal/clusterreplay"
	"github.com/rogpeppe/go-internal/testscript"
)

// clusters has the recorded servers that scripts have started, by the working directory
// of the script.
var clusters sync.Map

// cluster RELEASE KUBECONFIG CONTEXT starts a server with the recorded answers of a real
// server, and writes a kubeconfig for it.
func cluster(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cluster release kubeconfig context")
	}
	s, err := clusterreplay.Start(filepath.Join(recordedClusters, args[0]+".jsonl.gz"))
	ts.Check(err)
	ts.Defer(s.Close)
	clusters.Store(ts.Getenv("WORK"), s)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(s.Kubeconfig(args[2])), 0o600))
}

var recordedClusters = func() string {
	dir, err := filepath.Abs(filepath.Join("..", "..", "manifestlint", "source", "cluster", "testdata"))
	if err != nil {
		panic(err)
	}
	return dir
}()

// forbid PATH... makes a script's server refuse requests to the paths.
func forbid(ts *testscript.TestScript, neg bool, args []string) {
	s, ok := clusters.Load(ts.Getenv("WORK"))
	if neg || !ok {
		ts.Fatalf("usage: forbid path..., after cluster")
	}
	s.(*clusterreplay.Server).SetForbid(func(path string) bool { return slices.Contains(args, path) })
}
