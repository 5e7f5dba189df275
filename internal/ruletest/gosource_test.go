package ruletest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules"
)

func TestGoFile(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		added          int
	}{
		{"nothing needed", "var x = 1\n", "package example; var x = 1\n", 0},
		{"imports", "var x metav1.Time\nfunc f(ctx context.Context) {}\n",
			`package example; import context "context"; import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"; var x metav1.Time` + "\nfunc f(ctx context.Context) {}\n", 0},
		{"own clause", "//go:build linux\n\npackage main // want \"x\"\n\nvar _ io.Reader\n",
			"//go:build linux\n\npackage main; import io \"io\" // want \"x\"\n\nvar _ io.Reader\n", 0},
		{"own imports", "import (\n    \"io\"\n    c \"context\"\n)\nvar _ io.Reader; var _ c.Context; var _ fmt.Stringer\n",
			"package example; import fmt \"fmt\"; import (\n    \"io\"\n    c \"context\"\n)\nvar _ io.Reader; var _ c.Context; var _ fmt.Stringer\n", 0},
		{"a package of that name is imported", "import \"example.com/client\"\nvar _ client.Client\n",
			"package example; import \"example.com/client\"\nvar _ client.Client\n", 0},
		{"locals", "func f(client struct{ Get int }) { _ = client.Get; types := client; _ = types.Get }\n",
			"package example; func f(client struct{ Get int }) { _ = client.Get; types := client; _ = types.Get }\n", 0},
		{"comment first", "// f is good.\nfunc f() { fmt.Println() }\n",
			"package example; import fmt \"fmt\"\n// f is good.\nfunc f() { fmt.Println() }\n", 1},
		{"unknown", "var _ nosuch.Thing\n", "package example; var _ nosuch.Thing\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, added, err := goFile(Example{File: "example.go", Source: []byte(tt.in)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" || added != tt.added {
				t.Errorf("added %d, want %d\n%s", added, tt.added, diff)
			}
		})
	}
	if _, _, err := goFile(Example{File: "example.go", Source: []byte("func {\n")}); err == nil {
		t.Error("no error for a block that is no Go")
	}
}

func TestGoOptions(t *testing.T) {
	r := pageRule(fence + "go file=a_test.go strict calls mode=cli also=removedapi\nvar x int // want \"one\" /t.o/\n# want \"three\"\n" + fence + "\n")
	all, err := Examples(r, rules.SurfaceGo)
	if err != nil {
		t.Fatal(err)
	}
	ex := all[0]
	got := strings.Join(append([]string{ex.File}, append(ex.Settings, ex.Also...)...), " ")
	if want := "a_test.go calls=true mode=cli removedapi"; got != want || !ex.Strict {
		t.Errorf("got %s, strict %v; want %s", got, ex.Strict, want)
	}
	if len(ex.Wants) != 2 || ex.Wants[0].Line != 1 || ex.Wants[1].PageLine != 10 {
		t.Errorf("wants %v", ex.Wants)
	}
	for _, s := range []string{"file=", "also", "also=nosuchrule"} {
		if _, err := Examples(pageRule(fence+"go "+s+"\n"+fence+"\n"), rules.SurfaceGo); err == nil {
			t.Errorf("option %s is accepted", s)
		}
	}
}
