package synth

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Published figures refer to these bytes. After an intended change, measure the figures
// again and replace this sum.
func TestSameBytesAsPublished(t *testing.T) {
	const want = "112ea8e1a73bca7d5b6d98ecb6bc238ec8dbe18c84ff8fd06a9a1bd32605a69b"
	sum := sha256.New()
	if _, err := New(1).Stream(sum, Limit{Objects: 5000}, nil); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("the stream of seed 1 has the sum %s, want %s", got, want)
	}
}

func TestSeedsDiffer(t *testing.T) {
	var one, two bytes.Buffer
	for seed, out := range map[uint64]*bytes.Buffer{1: &one, 2: &two} {
		if _, err := New(seed).Stream(out, Limit{Objects: 1}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("seeds 1 and 2 make the same object")
	}
}

// objectHead has the fields that every object has. A real YAML parser decodes it and also
// rejects duplicate keys.
type objectHead struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name        string            `yaml:"name"`
		Namespace   string            `yaml:"namespace"`
		Labels      map[string]string `yaml:"labels"`
		Annotations map[string]string `yaml:"annotations"`
	} `yaml:"metadata"`
}

func (h objectHead) matches(o *Object) bool {
	return h.APIVersion == o.APIVersion && h.Kind == o.Kind && h.Metadata.Name == o.Name && h.Metadata.Namespace == o.Namespace
}

func TestStreamParses(t *testing.T) {
	var (
		stream  bytes.Buffer
		objects []Object
		sizes   int
		kinds   = map[string]bool{}
	)
	s, err := New(7).Stream(&stream, Limit{Objects: 4000}, func(p Place, o *Object) error {
		if p.Document != len(objects) {
			t.Fatalf("object %d is at document %d", len(objects), p.Document)
		}
		objects = append(objects, *o)
		kinds[o.Kind] = true
		if n := len(o.Text); n < 800 || n > 7000 {
			sizes++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if int64(stream.Len()) != s.Bytes || s.Objects != 4000 || s.Files != 1 {
		t.Errorf("summary %+v of %d bytes", s, stream.Len())
	}
	if len(kinds) < 40 {
		t.Errorf("%d kinds, want 40 or more", len(kinds))
	}
	if sizes > s.Objects/100 {
		t.Errorf("%d of %d objects are unusually long or short", sizes, s.Objects)
	}
	if mean := s.Bytes / int64(s.Objects); mean < 1900 || mean > 2300 {
		t.Errorf("objects are %d bytes long on average, want about 2,100", mean)
	}
	if share := 1000 * (s.Removed + s.Deprecated) / s.Objects; share < 120 || share > 160 {
		t.Errorf("%d objects in 1,000 are old, want about 140", share)
	}
	if s.PreStop == 0 || s.Refused > s.PreStop/5 {
		t.Errorf("%d preStop handlers, %d refused, want few", s.PreStop, s.Refused)
	}
	decoder := yaml.NewDecoder(&stream)
	for i := range objects {
		var h objectHead
		if err := decoder.Decode(&h); err != nil {
			t.Fatalf("document %d: %v", i, err)
		}
		if !h.matches(&objects[i]) {
			t.Fatalf("document %d reads %+v, want %+v", i, h, objects[i])
		}
	}
	if err := decoder.Decode(new(objectHead)); !errors.Is(err, io.EOF) {
		t.Errorf("after the last document: %v, want EOF", err)
	}
}

func TestTreeParses(t *testing.T) {
	dir := t.TempDir()
	want := map[string][]Object{}
	s, err := New(3).Tree(dir, Limit{Objects: 1500}, func(p Place, o *Object) error {
		if p.Document != len(want[p.File]) {
			t.Errorf("%s: object %d is at document %d", p.File, len(want[p.File]), p.Document)
		}
		want[p.File] = append(want[p.File], *o)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var (
		files, objects, crlf int
		size                 int64
	)
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		size += int64(len(data))
		if bytes.Contains(data, []byte("\r\n")) {
			crlf++
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		expected := want[filepath.ToSlash(rel)]
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		for i := range expected {
			var h objectHead
			if err := decoder.Decode(&h); err != nil {
				t.Fatalf("%s: document %d: %v", rel, i, err)
			}
			if !h.matches(&expected[i]) {
				t.Errorf("%s: document %d reads %+v, want %+v", rel, i, h, expected[i])
			}
			objects++
		}
		if err := decoder.Decode(new(objectHead)); !errors.Is(err, io.EOF) {
			t.Errorf("%s: after document %d: %v, want EOF", rel, len(expected), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files != s.Files || files != len(want) || objects != s.Objects || size != s.Bytes {
		t.Errorf("found %d files, %d objects, %d bytes; summary says %+v", files, objects, size, s)
	}
	if crlf == 0 || files == s.Objects {
		t.Errorf("%d files with CRLF, %d files for %d objects: no variety", crlf, files, s.Objects)
	}
}

// If the server validates the pods of a kind, a sleep may exceed the grace period. The
// server then refuses the object, and the object is Refused. All other sleeps must be
// shorter than the grace period.
func TestRefusedSleeps(t *testing.T) {
	g := New(11)
	hooks, refused := 0, 0
	for range 20000 {
		o := g.Next()
		if !o.PreStop {
			if bytes.Contains(o.Text, []byte("preStop")) {
				t.Fatalf("%s %s has a handler nobody counted", o.Kind, o.Name)
			}
			continue
		}
		hooks++
		node, err := yaml.Parse(string(o.Text))
		if err != nil {
			t.Fatal(err)
		}
		path := []string{"spec", "template", "spec"}
		if o.Kind == "Pod" {
			path = path[:1]
		}
		spec, err := node.Pipe(yaml.Lookup(path...))
		if err != nil || spec == nil {
			t.Fatalf("%s %s: no pod spec: %v", o.Kind, o.Name, err)
		}
		grace := 30
		if n, err := spec.Pipe(yaml.Lookup("terminationGracePeriodSeconds")); err == nil && n != nil {
			if err := n.YNode().Decode(&grace); err != nil {
				t.Fatal(err)
			}
		}
		seconds := 0
		n, err := spec.Pipe(yaml.Lookup("containers", "0", "lifecycle", "preStop", "sleep", "seconds"))
		if err != nil {
			t.Fatal(err)
		}
		if n != nil {
			if err := n.YNode().Decode(&seconds); err != nil {
				t.Fatal(err)
			}
		}
		if tooLong := seconds > grace; tooLong != o.Refused {
			t.Errorf("%s %s: sleep %d, grace %d, Refused %v", o.Kind, o.Name, seconds, grace, o.Refused)
		}
		if o.Refused {
			refused++
			if o.State != Current {
				t.Errorf("%s %s is %v", o.APIVersion, o.Kind, o.State)
			}
		}
	}
	if hooks == 0 || refused == 0 {
		t.Errorf("%d handlers, %d refused: nothing was tested", hooks, refused)
	}
}

func TestFormsAreDistinct(t *testing.T) {
	seen := map[[2]string]bool{}
	for _, forms := range [][]form{currentForms, oldForms} {
		for _, f := range forms {
			key := [2]string{f.apiVersion, f.kind}
			if seen[key] {
				t.Errorf("%s %s is listed twice", f.apiVersion, f.kind)
			}
			seen[key] = true
			if f.weight <= 0 {
				t.Errorf("%s %s has the weight %d", f.apiVersion, f.kind, f.weight)
			}
		}
	}
	for _, f := range oldForms {
		if f.state == Current {
			t.Errorf("%s %s is among the old forms without a state", f.apiVersion, f.kind)
		}
	}
	for _, f := range currentForms {
		if f.state != Current {
			t.Errorf("%s %s is among the current forms as %v", f.apiVersion, f.kind, f.state)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name  string
		limit Limit
		want  int
	}{
		{"none", Limit{}, 0},
		{"objects", Limit{Objects: 3}, 3},
		{"objects first", Limit{Objects: 3, Bytes: 1 << 20}, 3},
		{"bytes", Limit{Bytes: 1}, 1},
		{"bytes first", Limit{Objects: 100, Bytes: 1}, 1},
	} {
		s, err := New(1).Stream(io.Discard, test.limit, nil)
		if err != nil || s.Objects != test.want {
			t.Errorf("%s: %d objects, %v; want %d", test.name, s.Objects, err, test.want)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	g := New(1)
	var size int64
	for b.Loop() {
		o := g.Next()
		size += int64(len(o.Text))
	}
	b.SetBytes(size / int64(b.N))
}
