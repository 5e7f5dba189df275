package gofix

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/fixset"
)

// replace returns an edit that replaces the only occurrence of old in src.
func replace(t *testing.T, src, old, with string) fixset.Edit {
	t.Helper()
	if strings.Count(src, old) != 1 {
		t.Fatalf("%q is not there once", old)
	}
	at := strings.Index(src, old)
	return fixset.Edit{File: "a.go", Start: at, End: at + len(old), New: with}
}

func apply(t *testing.T, s *fixset.Set, src string) string {
	t.Helper()
	files, err := s.Apply(func(string) ([]byte, error) { return []byte(src), nil }, Finish)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		return src
	}
	return string(files[0].New)
}

const program = `package a

import (
	"context"
	"example.com/ptr" // for Force

	v1 "k8s.io/api/core/v1"
)

// f does it.
func f(ctx context.Context) v1.Pod {
	opts := O{Force: ptr.To(true), A: 1}
	return v1.Pod{}
}
`

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		name             string
		fixes            [][2]string
		want             [][2]string
		applied, skipped int
	}{
		{
			name:    "an import that is not used any more goes",
			fixes:   [][2]string{{"Force: ptr.To(true), ", ""}},
			want:    [][2]string{{"Force: ptr.To(true), ", ""}, {"\t\"example.com/ptr\" // for Force\n", ""}},
			applied: 1,
		},
		{
			name:    "gofmt is kept",
			fixes:   [][2]string{{"A: 1}", "\nA: 1,\nBig:   2,\n}"}},
			want:    [][2]string{{"O{Force: ptr.To(true), A: 1}", "O{Force: ptr.To(true),\n\t\tA:   1,\n\t\tBig: 2,\n\t}"}},
			applied: 1,
		},
		{
			name:    "overlap",
			fixes:   [][2]string{{"A: 1", "A: 2"}, {"1}", "3}"}},
			want:    [][2]string{{"A: 1", "A: 2"}},
			applied: 1, skipped: 1,
		},
		{
			name:    "the same twice",
			fixes:   [][2]string{{"A: 1", "A: 2"}, {"A: 1", "A: 2"}},
			want:    [][2]string{{"A: 1", "A: 2"}},
			applied: 2,
		},
		{
			name:    "what would not parse",
			fixes:   [][2]string{{"A: 1}", "A: 1"}},
			skipped: 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s fixset.Set
			want := program
			for _, f := range tt.fixes {
				s.Add([]fixset.Edit{replace(t, program, f[0], f[1])})
			}
			for _, w := range tt.want {
				want = strings.Replace(want, w[0], w[1], 1)
			}
			if diff := cmp.Diff(want, apply(t, &s, program)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if s.Applied() != tt.applied || s.Skipped() != tt.skipped {
				t.Errorf("applied %d, skipped %d; want %d, %d", s.Applied(), s.Skipped(), tt.applied, tt.skipped)
			}
		})
	}
}

// TestShared checks that a fix is applied as a whole, and that an edit of two fixes, such
// as a new import, is made once.
func TestShared(t *testing.T) {
	insert := fixset.Edit{File: "a.go", Start: strings.Index(program, "\n\tv1 "), End: strings.Index(program, "\n\tv1 "), New: "\n\t\"example.com/x\"\n"}
	var s fixset.Set
	s.Add([]fixset.Edit{insert, replace(t, program, "A: 1", "A: x.One")})
	s.Add([]fixset.Edit{replace(t, program, "v1.Pod{}", "x.Pod()"), insert})
	s.Add([]fixset.Edit{replace(t, program, "A: 1", "B: 1"), replace(t, program, "// f does it.", "")})
	got := apply(t, &s, program)
	if strings.Count(got, "example.com/x") != 1 || !strings.Contains(got, "A: x.One") || !strings.Contains(got, "x.Pod()") {
		t.Errorf("two fixes that add one import:\n%s", got)
	}
	if !strings.Contains(got, "f does it") || s.Made(2) || !s.Made(1) {
		t.Errorf("half of a fix was made, or it was not counted:\n%s", got)
	}
}

// TestUnformatted checks that a file that was not formatted with gofmt stays unformatted.
func TestUnformatted(t *testing.T) {
	src := "package a\nfunc f() {\n  g( 1 )\n}\n"
	var s fixset.Set
	s.Add([]fixset.Edit{replace(t, src, "1", "2")})
	if got, want := apply(t, &s, src), strings.Replace(src, "1", "2", 1); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCRLF checks that the lines of a file end with CRLF after the edits, and that the file
// is formatted.
func TestCRLF(t *testing.T) {
	dos := strings.NewReplacer("\n", "\r\n")
	src := dos.Replace(program)
	for _, with := range []string{"\nA: 1,\nBig:   2,\n}", "\r\nA: 1,\r\nBig:   2,\r\n}"} {
		var s fixset.Set
		s.Add([]fixset.Edit{replace(t, src, "A: 1}", with)})
		want := dos.Replace(strings.Replace(program, "O{Force: ptr.To(true), A: 1}", "O{Force: ptr.To(true),\n\t\tA:   1,\n\t\tBig: 2,\n\t}", 1))
		if diff := cmp.Diff(want, apply(t, &s, src)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", with, diff)
		}
	}
}
