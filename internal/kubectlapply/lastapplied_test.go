package kubectlapply_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/cli"
	"github.com/kubevet/kubevet/internal/kubectlapply"
)

// TestLastApplied compares the limit of annotations with kubectl 1.37 and kube-apiserver
// 1.37. The annotation with the object may make the object too large.
func TestLastApplied(t *testing.T) {
	// around is the annotation that kubectl 1.37 writes, without the text of the data.
	const around = `{"apiVersion":"v1","data":{"k":""},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a","namespace":"default"}}` + "\n"
	const most = kubectlapply.MaxAnnotations - len(kubectlapply.LastApplied) - len(around)
	const refused = `The ConfigMap "a" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes` + "\n"
	for _, tt := range []struct {
		name, text, metadata string
		refused              bool
	}{
		{name: "most", text: strings.Repeat("x", most)},
		{name: "one too many", text: strings.Repeat("x", most+1), refused: true},
		{name: "namespace", text: strings.Repeat("x", most), metadata: ", namespace: default"},
		{name: "escaped", text: strings.Repeat("<", most/6)},
		{name: "escaped too many", text: strings.Repeat("<", most/6+1), refused: true},
		// The server adds up the sizes of all annotations. So this annotation counts
		// twice: itself, and as a part of last-applied-configuration.
		{name: "annotation", text: strings.Repeat("x", most-len(`"note":"vv"`)-len("notevv")), metadata: ", annotations: {note: vv}"},
		{name: "annotation too many", text: strings.Repeat("x", most-len(`"note":"vv"`)-len("notevv")+1), metadata: ", annotations: {note: vv}", refused: true},
		{name: "written before", text: strings.Repeat("x", most), metadata: ", annotations: {" + kubectlapply.LastApplied + ": old}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.yaml")
			manifest := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a%s}\ndata:\n  k: \"%s\"\n", tt.metadata, tt.text)
			if err := os.WriteFile(file, []byte(manifest), 0o644); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			cmd := cli.Command{Stdout: &out, Stderr: &errs}
			status := cmd.Main(t.Context(), []string{"lint", "--no-config", "-o", "kubectl", "--target", "1.37", file})
			want, wantOut, wantStatus := "", "configmap/a created (server dry run)\n", 0
			if tt.refused {
				want, wantOut, wantStatus = refused, "", 1
			}
			if errs.String() != want || out.String() != wantOut || status != wantStatus {
				t.Errorf("status %d\nstdout: %s\nstderr: %s", status, out.String(), errs.String())
			}
		})
	}
}
