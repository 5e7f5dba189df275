package scripts

import (
	"strings"
	"testing"
)

// BenchmarkMentions measures a document that does not contain kubectl, like
// nearly all documents.
func BenchmarkMentions(b *testing.B) {
	doc := []byte(strings.Repeat("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  labels: {app: web, docs: on}\ndata:\n  key: value\n", 20))
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if Mentions(doc) {
			b.Fatal("it does")
		}
	}
}

func BenchmarkShell(b *testing.B) {
	source := []byte("#!/bin/bash\nset -e\nk() { kubectl --namespace \"$NS\" \"$@\"; }\n" + strings.Repeat(`
if [[ -n "$1" ]]; then flags=--dry-run=client; else flags=--dry-run; fi
k apply $flags -f "$file"
cat <<END | k apply -f -
apiVersion: v1
kind: ConfigMap
metadata: {name: $name}
END
`, 20))
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if f := Read(Shell, source); len(f.Commands) == 0 || len(f.Manifests) == 0 {
			b.Fatal("nothing found")
		}
	}
}
