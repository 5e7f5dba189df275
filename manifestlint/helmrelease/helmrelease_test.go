package helmrelease_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/manifestlint/helmrelease"
)

func pack(t testing.TB, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte(base64.StdEncoding.EncodeToString(packed.Bytes()))
}

// release is a release in Helm 4's format, with fields that Decode ignores.
const release = `{"name":"web","info":{"first_deployed":"","status":"deployed","notes":"x"},"chart":{"metadata":{"name":"web","version":"1.2.3"},"templates":[{"name":"t","data":"YQ=="}]},
"config":{"password":"hunter2"},"manifest":"---\nkind: A\n","hooks":[{"name":"h","path":"web/templates/h.yaml","manifest":"kind: B\n","events":["pre-install"],"last_run":{"phase":""}}],"version":3,"namespace":"shop","apply_method":"ssa"}`

func TestDecode(t *testing.T) {
	want := &helmrelease.Release{
		Name: "web", Namespace: "shop", Revision: 3, Info: helmrelease.Info{Status: "deployed"}, Manifest: "---\nkind: A\n",
		Hooks: []helmrelease.Hook{{Path: "web/templates/h.yaml", Manifest: "kind: B\n", Events: []string{"pre-install"}}},
	}
	want.Chart.Metadata = helmrelease.Chart{Name: "web", Version: "1.2.3"}
	for name, payload := range map[string][]byte{
		"packed":                   pack(t, release),
		"before Helm packed":       []byte(base64.StdEncoding.EncodeToString([]byte(release))),
		"with a line break at end": append(pack(t, release), '\n'),
	} {
		got, size, err := helmrelease.Decode(payload, 1<<20)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(want, got); d != "" || size != int64(len(release)) {
			t.Errorf("%s: %d bytes (-want +got):\n%s", name, size, d)
		}
	}
	if got := want.Chart.Metadata.String(); got != "web-1.2.3" {
		t.Errorf("the chart is %q", got)
	}
}

// TestDecodeErrors checks that errors do not contain parts of the release.
func TestDecodeErrors(t *testing.T) {
	packed, _ := base64.StdEncoding.DecodeString(string(pack(t, release)))
	for _, c := range []struct{ name, payload, want string }{
		{"no base64", "*** hunter2 ***", "the release is not base64"},
		{"torn", base64.StdEncoding.EncodeToString(packed[:len(packed)-20]), "the release does not unpack: unexpected EOF"},
		{"no JSON", string(pack(t, "hunter2")), "the release is not what Helm stores: no JSON at byte 1"},
		{"another JSON", string(pack(t, `{"version":"hunter2"}`)), "the release is not what Helm stores: the field version is no int"},
	} {
		_, _, err := helmrelease.Decode([]byte(c.payload), 1<<20)
		if err == nil || err.Error() != c.want || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestBomb checks that Decode stops when the uncompressed release exceeds the
// limit.
func TestBomb(t *testing.T) {
	payload := pack(t, strings.Repeat(" ", 50<<20))
	if len(payload) > 100<<10 {
		t.Fatalf("the payload has %d bytes", len(payload))
	}
	if _, size, err := helmrelease.Decode(payload, 1<<20); !errors.Is(err, helmrelease.ErrLarge) || size != 1<<20 {
		t.Errorf("%d bytes, %v", size, err)
	}
	if _, _, err := helmrelease.Decode(pack(t, release), int64(len(release))); err != nil {
		t.Errorf("a release of just the limit: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(pack(f, release))
	f.Add([]byte("e30="))
	f.Add([]byte("***"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		const limit = 1 << 16
		r, size, err := helmrelease.Decode(payload, limit)
		if (r == nil) == (err == nil) || size > limit {
			if len(payload) < limit { // an uncompressed release whose size is known
				t.Errorf("%v, %d bytes, %v", r, size, err)
			}
		}
	})
}
