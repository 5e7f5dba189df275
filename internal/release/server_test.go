package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// top is the root of the repository.
const top = "../.."

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// write writes a file, and creates its directories if necessary.
func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// shell returns the path of a shell, or skips the test if the system does not have it.
func shell(t *testing.T, name string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stubs of these tests are shell scripts")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s", name)
	}
	return path
}

// stub returns a script that replaces kubevet. It writes its arguments to the file $CALLS
// and exits with $STATUS.
func stub(bash string) string {
	return "#!" + bash + `
if [[ "$1" == version ]]; then echo "kubevet v0.3.0 (stub)"; exit; fi
{ printf kubevet; printf ' %q' "$@"; echo; } >> "$CALLS"
exit "${STATUS:-0}"
`
}

// releases is a server like GitHub with one release, v0.3.0.
type releases struct {
	*httptest.Server
	files map[string][]byte

	mu         sync.Mutex
	downloaded []string // names of downloaded files
}

func newReleases(t *testing.T, bash string) *releases {
	t.Helper()
	r := &releases{files: map[string][]byte{}}
	archive := "kubevet_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
	r.files[archive] = tarball(t, map[string]string{"LICENSE": "text", "kubevet": stub(bash)})
	r.files["checksums.txt"] = fmt.Appendf(nil, "%x  %s\n%064d  kubevet_plan9_mips.tar.gz\n", sha256.Sum256(r.files[archive]), archive, 0)
	r.files["install.sh"] = []byte(read(t, filepath.Join(top, "install.sh")))
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(r.Close)
	return r
}

func (r *releases) serve(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path == "/latest" {
		http.Redirect(w, req, "/tag/v0.3.0", http.StatusFound)
		return
	}
	if req.URL.Path == "/tag/v0.3.0" {
		return
	}
	name, ok := strings.CutPrefix(strings.Replace(req.URL.Path, "/latest/download/", "/download/v0.3.0/", 1), "/download/v0.3.0/")
	data, found := r.files[name]
	if !ok || !found {
		http.NotFound(w, req)
		return
	}
	r.mu.Lock()
	r.downloaded = append(r.downloaded, name)
	r.mu.Unlock()
	w.Write(data)
}

// downloads returns the names of the downloaded files and clears the list.
func (r *releases) downloads() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	gets := strings.Join(r.downloaded, " ")
	r.downloaded = nil
	return gets
}

func tarball(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
