package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module writes the files of a small module to a new directory and returns the
// directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const pflag = `package pflag
type Flag struct{ Deprecated string }
type FlagSet struct{}
func (f *FlagSet) StringVar(p *string, name, value, usage string) {}
func (f *FlagSet) BoolP(name, short string, value bool, usage string) *bool { return nil }
func (f *FlagSet) MarkDeprecated(name, text string) error { return nil }
func (f *FlagSet) Lookup(name string) *Flag { return nil }
`

const command = `package app
import (
	"fmt"
	"github.com/spf13/pflag"
	"github.com/spf13/cobra"
)
const name = "by" + "-constant"
var old = []string{"address", "insecure-port"}
type Options struct{ Batch Batch }
type Batch struct{ Mode string }
func NewOptions() *Options { return &Options{} }
func (o *Options) AddFlags(fs *pflag.FlagSet) {
	var s string
	fs.StringVar(&s, name, s, "")
	o.Batch.AddFlags("log", fs)
	o.Batch.AddFlags("webhook", fs)
	for _, name := range old {
		fs.StringVar(&s, name, s, "")
		fs.MarkDeprecated(name, "goes in 1.24")
	}
	fs.StringVar(&s, unknown(), s, "")
}
func (b *Batch) AddFlags(plugin string, fs *pflag.FlagSet) {
	fs.StringVar(&b.Mode, fmt.Sprintf("audit-%s-mode", plugin), "", "")
}
func unregistered(fs *pflag.FlagSet) { fs.BoolP("never", "", false, "") }
func unknown() string { return "x" }
func NewCommand() *cobra.Command {
	o := NewOptions()
	cmd := &cobra.Command{RunE: func() error { unregistered(nil); return nil }}
	o.AddFlags(cmd.Flags())
	var fs *pflag.FlagSet
	fs.BoolP("help_me", "h", false, "")
	return cmd
}
`

const config = `package v1
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
const GroupName = "kubelet.config.k8s.io"
type Config struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	Base ` + "`json:\",inline\"`" + `
	List []Part ` + "`json:\"list\"`" + `
	Hidden string ` + "`json:\"-\"`" + `
}
type Base struct { Port int ` + "`json:\"port,omitempty\"`" + ` }
type Part struct { Name string ` + "`json:\"name\"`" + `; Again *Part ` + "`json:\"again\"`" + ` }
type Other struct { Name string }
`

func TestRead(t *testing.T) {
	src := &sources{release: release{30, 1}, dirs: map[string]string{
		modKubernetes:         module(t, map[string]string{"cmd/x/app/app.go": command}),
		modFlag:               module(t, map[string]string{"flag.go": pflag}),
		"k8s.io/kubelet":      module(t, map[string]string{"config/v1/types.go": config, "config/v1/types_test.go": "broken"}),
		"k8s.io/apimachinery": module(t, map[string]string{"pkg/apis/meta/v1/types.go": "package v1\ntype TypeMeta struct{ Kind string }\n"}),
	}}
	l := newLoader(src)
	flags, trouble, err := l.flagsOf("x", modKubernetes+"/cmd/x/app", "NewCommand")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range flags {
		got = append(got, strings.TrimSpace(f.Name+" "+f.Deprecated))
		if f.File != "cmd/x/app/app.go" {
			t.Errorf("%s is of %s", f.Name, f.File)
		}
	}
	want := []string{"address goes in 1.24", "audit-log-mode", "audit-webhook-mode", "by-constant", "help-me", "insecure-port goes in 1.24"}
	if !slices.Equal(got, want) {
		t.Errorf("flags: %q, want %q", got, want)
	}
	if len(trouble) != 1 || trouble[0] != "x: app.go:21" {
		t.Errorf("trouble: %q", trouble)
	}
	configs, err := l.configs()
	if err != nil || len(configs) != 1 {
		t.Fatalf("configs: %+v, %v", configs, err)
	}
	c := configs[0]
	if c.APIVersion != "kubelet.config.k8s.io/v1" || c.Kind != "Config" || c.File != "staging/src/k8s.io/kubelet/config/v1/types.go" ||
		!slices.Equal(c.Fields, []string{"list", "list.again", "list.name", "port"}) {
		t.Errorf("config: %+v", c)
	}
}

func TestTables(t *testing.T) {
	at := func(minor int, flags []flagFact, fields ...string) *facts {
		return &facts{Minor: minor, Flags: flags, Configs: []configFact{{Component: "kubelet", APIVersion: "g/v1", Kind: "K", Fields: fields, File: "t.go"}}}
	}
	files, err := tables([]*facts{
		at(30, []flagFact{{"kubelet", "a", "", "a.go"}, {"kubelet", "b", "", "b.go"}, {"kubelet", "c", "", "b.go"}, {"kubelet", "d", "", "b.go"}}, "x", "y", "y.z"),
		at(31, []flagFact{{"kubelet", "a", "use\n b", "a.go"}, {"kubelet", "b", "", "b.go"}, {"kubelet", "c", "", "b.go"}}, "x"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kubelet\ta\t30-31\ta.go\t31=use b\n", "kubelet\td\t30\tb.go\n"} {
		if !strings.Contains(string(files["zz_generated.flags.txt"]), want) {
			t.Errorf("no %q in\n%s", want, files["zz_generated.flags.txt"])
		}
	}
	if want := "kubelet\tg/v1\tK\t30-31\tt.go\n\ty\t30\n"; !strings.HasSuffix(string(files["zz_generated.configs.txt"]), want) {
		t.Errorf("want %q at the end of\n%s", want, files["zz_generated.configs.txt"])
	}
	if _, err := tables([]*facts{at(30, []flagFact{{"kubelet", "a", "", ""}, {"kubelet", "b", "", ""}}), at(31, nil)}); err == nil {
		t.Error("a release without flags is no error")
	}
}
