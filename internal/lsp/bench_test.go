package lsp_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/lsp"
)

// manifest returns a Deployment and a Service in 31 lines.
func manifest(i int) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: app%[1]d
  namespace: team%[2]d
  labels: {app: app%[1]d}
spec:
  replicas: 2
  selector:
    matchLabels: {app: app%[1]d}
  template:
    metadata:
      labels: {app: app%[1]d}
    spec:
      containers:
      - name: main
        image: registry.example.com/app%[1]d:1.0
        ports: [{containerPort: 8080}]
        livenessProbe:
          httpGet: {path: /healthz, port: 8080}
        resources:
          limits: {cpu: 500m, memory: 256Mi}
---
apiVersion: v1
kind: Service
metadata:
  name: app%[1]d
  namespace: team%[2]d
spec:
  selector: {app: app%[1]d}
  ports: [{port: 80, targetPort: 8080}]
`, i, i/100)
}

// BenchmarkKeystroke measures the time from an edit in a file of 3,000 lines to the new
// diagnostics.
func BenchmarkKeystroke(b *testing.B) {
	var text strings.Builder
	for i := range 3000 / 32 {
		text.WriteString(manifest(i) + "---\n")
	}
	c := start(b, map[string]string{"big.yaml": text.String()}, nil)
	c.open("big.yaml", text.String())
	version := 1
	edit := func() {
		version++
		at := []rng{{pos{0, 12}, pos{0, 19}}, {pos{0, 12}, pos{0, 24}}}[version%2]
		c.change("big.yaml", version, map[string]any{"range": at, "text": []string{"apps/v1beta1", "apps/v1"}[version%2]})
		c.wait("an answer", func() bool {
			p := c.diagnosticsByURI[c.uri("big.yaml")]
			return p.Version != nil && *p.Version == version
		})
	}
	edit()
	edit()
	for b.Loop() {
		edit()
	}
}

// BenchmarkWorkspace measures the time from initialize to the diagnostics of the last of
// 5,000 files.
func BenchmarkWorkspace(b *testing.B) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	files := connectTo(b, dir, lsp.Options{})
	for i := range 5000 {
		files.write(fmt.Sprintf("team%d/app%d.yaml", i/100, i), manifest(i))
	}
	files.write("zz.yaml", oldCron)
	for b.Loop() {
		c := connectTo(b, dir, lsp.Options{})
		c.initialize(nil)
		c.diagnostics("zz.yaml", "0:12-25 removedapi")
		c.call("shutdown", nil, nil)
		c.notify("exit", nil)
		<-c.serveResult
	}
}
