package fieldmanager

import (
	"bytes"
	"encoding/gob"
	"go/token"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// A write that another process has seen keeps its line and column.
func TestPositions(t *testing.T) {
	sent := handedOver{Module: "example.org/m", Writes: []write{
		{Package: "example.org/m/a", File: "/m/a/a.go", Line: 7, Column: 3, Method: "Update", Family: apicall.Typed, pos: 99, end: 100},
		{Package: "example.org/m/a", File: "/m/a/a.go", Line: 300, Column: 1, Method: "Create"},
		{Package: "example.org/m/b", File: "/m/b/b.go", Line: 1, Column: 4000, Method: "Patch"},
		{Package: "example.org/m/b", File: "/m/b/b.go", Line: 0, Column: 0, Method: "Patch"},
	}}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(sent); err != nil {
		t.Fatal(err)
	}
	var got handedOver
	if err := gob.NewDecoder(&b).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Writes[0].id() != sent.Writes[0].id() || got.Writes[0].id() == got.Writes[1].id() {
		t.Error("ids do not tell writes apart, or change on the way")
	}
	a := &atlas{fset: token.NewFileSet(), files: map[string]*token.File{}}
	a.fset.AddFile("/m/main.go", -1, 1000)
	for range 2 { // the second time the files are known
		positions := a.positions(got.Writes)
		for i, want := range []string{"/m/a/a.go:7:3", "/m/a/a.go:300:1", "/m/b/b.go:1:256", "-"} {
			if p := a.fset.Position(positions[i]).String(); p != want {
				t.Errorf("write %d is at %s, want %s", i, p, want)
			}
		}
	}
}

func TestSiblings(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"example.org/team/project/a", "example.org/team/project/b", true},
		{"example.org/team/project/a", "example.org/team/other/b", false},
		{"k8s.io/client-go/kubernetes", "k8s.io/api/core/v1", false},
		{"cmd", "cmd", true},
		{"cmd", "pkg", false},
	} {
		if got := siblings(tt.a, tt.b); got != tt.want {
			t.Errorf("siblings(%s, %s) = %t", tt.a, tt.b, got)
		}
	}
}
