package helmchart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestHostileTemplates renders charts that would never end or would use all
// memory.
func TestHostileTemplates(t *testing.T) {
	deepIf := strings.Repeat("{{ if true }}", 5000) + strings.Repeat("{{ end }}", 5000)
	tests := []struct{ name, files, want string }{
		{"loops in loops", "-- c/templates/x.yaml --\n{{ range until 100000 }}{{ range until 100000 }}x{{ end }}{{ end }}\n", "does too much"},
		{"loops that write nothing", "-- c/templates/x.yaml --\n{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}\n", "does too much"},
		{"integers", "-- c/templates/x.yaml --\n{{ range 10000000000 }}{{ end }}\n", "does too much"},
		{"a helper that includes itself", "-- c/templates/x.yaml --\n{{ define \"a\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}\n", "nested reference name"},
		{"templates that call each other", "-- c/templates/x.yaml --\n{{ define \"a\" }}{{ template \"b\" . }}{{ end }}{{ define \"b\" }}{{ template \"a\" . }}{{ end }}{{ template \"a\" . }}\n", "does too much"},
		{"helpers that double", "-- c/templates/x.yaml --\n" + doubling() + "{{ include \"h0\" . }}\n", "does too much"},
		{"tpl that calls itself", "-- c/values.yaml --\nx: '{{ tpl .Values.x . }}'\n-- c/templates/x.yaml --\na: {{ tpl .Values.x . }}\n", "does too much"},
		{"tpl of a file that calls itself", "-- c/x --\n{{ tpl (.Files.Get \"x\") . }}\n-- c/templates/x.yaml --\na: {{ tpl (.Files.Get \"x\") . }}\n", "does too much"},
		{"a variable that doubles", "-- c/templates/x.yaml --\n{{ $x := \"0123456789abcdef\" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}\n", "does too much"},
		{"a list that doubles", "-- c/templates/x.yaml --\n{{ $x := list 1 2 3 4 }}{{ range until 60 }}{{ $x = concat $x $x }}{{ end }}{{ len $x }}\n", "does too much"},
		{"a tree that doubles", "-- c/templates/x.yaml --\n{{ $x := list 1 2 }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ toYaml $x }}\n", "does too much"},
		{"repeat", "-- c/templates/x.yaml --\n{{ repeat 2000000000 \"x\" }}\n", "does too much"},
		{"nindent", "-- c/templates/x.yaml --\n{{ \"x\" | nindent 2000000000 }}\n", "does too much"},
		{"until", "-- c/templates/x.yaml --\n{{ until 9000000000 | len }}\n", "does too much"},
		{"untilStep over the edge", "-- c/templates/x.yaml --\n{{ untilStep -9223372036854775807 9223372036854775807 1 | len }}\n", "does too much"},
		{"seq", "-- c/templates/x.yaml --\n{{ seq 9000000000 }}\n", "does too much"},
		{"random letters", "-- c/templates/x.yaml --\n{{ randAlphaNum 2000000000 }}\n", "does too much"},
		{"blocks in blocks", "-- c/templates/x.yaml --\n" + deepIf + "\n", "does too much"},
		{"values that refer to themselves", "-- c/values.yaml --\na: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nd: &d [*b, *b, *b, *b, *b, *b, *b, *b, *b]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]\ng: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]\nh: &h [*g, *g, *g, *g, *g, *g, *g, *g, *g]\ni: [*h, *h, *h, *h, *h, *h, *h, *h, *h]\n", "excessive aliasing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			_, err := render(t, minimal+tt.files)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %.300v, want %q", err, tt.want)
			}
			var fail *Failure
			if !errors.As(err, &fail) {
				t.Errorf("%T", err)
			} else if len(fail.Message) > maxMessage+10 || strings.Contains(fail.Message, "\n") {
				t.Errorf("message of %d bytes: %.200q", len(fail.Message), fail.Message)
			}
			if took := time.Since(start); took > 3*maxTime {
				t.Errorf("took %s", took)
			}
		})
	}
}

// doubling returns 60 helpers. Each helper includes the next one twice.
func doubling() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "{{ define \"h%d\" }}{{ include \"h%d\" . }}{{ include \"h%d\" . }}{{ end }}", i, i+1, i+1)
	}
	b.WriteString("{{ define \"h60\" }}x{{ end }}")
	return b.String()
}

// TestDeterministic checks that random functions return the same values in two
// renderings.
func TestDeterministic(t *testing.T) {
	const files = minimal + `-- c/templates/x.yaml --
a: {{ randAlphaNum 12 }}{{ uuidv4 }}{{ now }}{{ randInt 3 9 }}{{ randBytes 4 }}{{ shuffle "abc" }}
{{ $ca := genCA "ca" 365 }}
{{ $cert := genSignedCert "x" nil (list "a.example") 365 $ca }}
b: {{ $cert.Cert | b64enc }}
k: {{ $cert.Key | b64enc }}
p: {{ genPrivateKey "rsa" | b64enc }}
h: {{ htpasswd "u" "p" }} {{ bcrypt "x" }} {{ encryptAES "a" "b" }} {{ derivePassword 1 "long" "p" "u" "s" }}
`
	var texts []string
	for range 2 {
		r, err := render(t, files)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Outputs[0].traceable {
			t.Error("it is not followed")
		}
		texts = append(texts, r.Outputs[0].Text)
	}
	if texts[0] != texts[1] {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
	if sampleCertificate().Cert == "" || sampleCertificate().Key == "" {
		t.Error("there is no certificate")
	}
}

// packed returns a packaged chart with these members.
func packed(t *testing.T, members map[string]string, further ...func(*tar.Writer) error) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	w := tar.NewWriter(z)
	for name, text := range members {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range further {
		if err := f(w); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	z.Close()
	return buf.Bytes()
}

func TestArchives(t *testing.T) {
	chartYAML := "apiVersion: v2\nname: c\nversion: 1.0.0\n"
	zeros := func(size int64) func(*tar.Writer) error {
		return func(w *tar.Writer) error {
			if err := w.WriteHeader(&tar.Header{Name: "c/zeros", Mode: 0o644, Size: size}); err != nil {
				return err
			}
			_, err := io.CopyN(w, zeroes{}, size)
			return err
		}
	}
	many := func(w *tar.Writer) error {
		for i := range maxChartFiles + 1 {
			if err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf("c/templates/%d.yaml", i), Mode: 0o644}); err != nil {
				return err
			}
		}
		return nil
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"no archive", []byte("a: b"), "not a packaged chart"},
		{"cut off", packed(t, map[string]string{"c/Chart.yaml": chartYAML})[:60], "not a packaged chart"},
		{"empty", packed(t, nil), "the archive is empty"},
		{"zeros", packed(t, map[string]string{"c/Chart.yaml": chartYAML}, zeros(maxChartBytes+1)), "larger than"},
		{"many files", packed(t, nil, many), "larger than"},
		{"upwards", packed(t, map[string]string{"c/../../etc/passwd": "x"}), "leads out of it"},
		{"absolute", packed(t, map[string]string{"c//etc/passwd": "x"}), "leads out of it"},
		{"drive", packed(t, map[string]string{`c\C:\x`: "x"}), "leads out of it"},
		{"no directory", packed(t, map[string]string{"Chart.yaml": chartYAML}), "outside of a directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadArchive(bytes.NewReader(tt.data), "c.tgz")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}

	inner := packed(t, map[string]string{"sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n", "sub/templates/x.yaml": "name: {{ .Values.title }}\n", "sub/values.yaml": "title: inner\n", "sub/crds/a.yaml": "kind: X\n"})
	data := packed(t, map[string]string{"c/Chart.yaml": chartYAML, "c/templates/x.yaml": "a: {{ .Chart.Name }}\n", "c/charts/sub-1.0.0.tgz": string(inner)})
	c, err := ReadArchive(bytes.NewReader(data), "c.tgz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Render(&Values{}, clusterAt(t, "1.33"), Release{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range r.Outputs {
		got = append(got, o.Template+": "+strings.TrimSpace(o.Text))
	}
	want := "c.tgz/charts/sub-1.0.0.tgz/templates/x.yaml: name: inner, c.tgz/templates/x.yaml: a: c"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %v", got)
	}
	if len(r.CRDs) != 1 || r.CRDs[0].Place != "c.tgz/charts/sub-1.0.0.tgz/crds/a.yaml" || !r.CRDs[0].Packed {
		t.Errorf("crds: %v", r.CRDs)
	}
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestLinks checks that links within the root directory are followed, but not
// links out of it or into .git.
func TestLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("secret: yes\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := write(t, minimal+"-- c/templates/x.yaml --\na: {{ .Files.Get \"in.txt\" }}{{ .Files.Get \"out.txt\" }}\n-- parts/in.txt --\nwithin\n-- .git/config --\ntoken\n")
	for name, to := range map[string]string{
		"c/in.txt": "../parts/in.txt", "c/out.txt": outside, "c/up.txt": "../../secret.yaml", "c/round": ".", "c/token.txt": "../.git/config", "c/templates/gone.yaml": "nowhere",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	c, err := ReadDir(root, "c", "c", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Render(&Values{}, clusterAt(t, "1.33"), Release{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(r.Outputs[0].Text); got != "a: within" {
		t.Errorf("got %q", got)
	}
	if got := strings.Join(c.Left, " "); got != "c/out.txt c/templates/gone.yaml c/token.txt c/up.txt" {
		t.Errorf("left: %s", got)
	}
}

func TestHelmignore(t *testing.T) {
	r, err := render(t, minimal+"-- c/.helmignore --\n# comment\n*.bak.yaml\nold/\n-- c/templates/x.yaml --\na: b\n-- c/templates/x.bak.yaml --\na: c\n-- c/templates/old/x.yaml --\na: d\n-- c/templates/.hidden.yaml --\na: e\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outputs) != 1 || r.Outputs[0].Template != "c/templates/x.yaml" {
		t.Errorf("got %v", r.Outputs)
	}
}
