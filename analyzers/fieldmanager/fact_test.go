package fieldmanager

import (
	"bytes"
	"encoding/gob"
	"go/token"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// TestSpan checks that a site from another process keeps its ID, line and column.
func TestSpan(t *testing.T) {
	sent := sitesFact{Module: "example.org/m", Sites: []*site{
		{Kind: aWrite, Package: "example.org/m/a", File: "/m/a/a.go", Line: 7, Column: 3, Width: 6, Call: "Update", Family: apicall.Typed, pos: 99, end: 100},
		{Kind: aWrite, Package: "example.org/m/a", File: "/m/a/a.go", Line: 300, Column: 1, Width: 6, Call: "Create"},
		{Kind: aClient, Package: "example.org/m/b", File: "/m/b/b.go", Line: 1, Column: 4000, Width: 6},
		{Kind: aWrite, Package: "example.org/m/b", File: "/m/b/b.go"},
		{Kind: aWrite, Package: "example.org/m/b", File: "/m/b/b.go", Line: maxLine + 1, Column: 1},
	}}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(sent); err != nil {
		t.Fatal(err)
	}
	var got sitesFact
	if err := gob.NewDecoder(&b).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Sites[0].identify().id != sent.Sites[0].identify().id || got.Sites[0].id == got.Sites[1].identify().id {
		t.Error("ids do not distinguish sites, or change on the way")
	}
	fset := token.NewFileSet()
	fset.AddFile("/m/main.go", -1, 1000)
	a := newAtlas(fset)
	for range 2 { // in the second round, the atlas already has the files
		for i, want := range []string{"/m/a/a.go:7:3", "/m/a/a.go:300:1", "/m/b/b.go:1:256", "-", "-"} {
			pos, end := a.span(got.Sites[i])
			if p := fset.Position(pos).String(); p != want {
				t.Errorf("site %d is at %s, want %s", i, p, want)
			}
			if i < 2 && end-pos != 6 || end < pos {
				t.Errorf("site %d has %d bytes", i, end-pos)
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
		if got := sameProject(tt.a, tt.b); got != tt.want {
			t.Errorf("siblings(%s, %s) = %t", tt.a, tt.b, got)
		}
	}
}
