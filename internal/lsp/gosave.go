package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

const (
	// maxGoTime is the time limit for the check of a package. maxGoOutput is the maximal
	// size of the check's output in bytes.
	maxGoTime   = 5 * time.Minute
	maxGoOutput = 16 << 20
)

// goChecks runs the checks of Go packages. Only one runs at a time, because each check
// loads a whole program.
type goChecks struct {
	mu      sync.Mutex
	cancels map[string]context.CancelFunc // by directory; each function cancels the running check
	turn    sync.Mutex
}

// checkGo checks the package of a saved Go file in a separate process, because the types
// of a program need more memory than the rest of the server. It cancels a running check
// of this package.
func (s *server) checkGo(r *root, d *document) {
	if len(s.o.Program) == 0 {
		return
	}
	dir := filepath.Dir(d.path)
	ctx, cancel := context.WithTimeout(r.ctx, maxGoTime)
	g := &s.golang
	g.mu.Lock()
	if g.cancels == nil {
		g.cancels = map[string]context.CancelFunc{}
	}
	if old := g.cancels[dir]; old != nil {
		old()
	}
	g.cancels[dir] = cancel
	g.mu.Unlock()
	s.work.Go(func() {
		defer cancel()
		g.turn.Lock()
		defer g.turn.Unlock()
		if ctx.Err() != nil {
			return
		}
		found, err := s.runGo(ctx, r, dir)
		switch {
		case ctx.Err() != nil && r.ctx.Err() == nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
			s.warn(messageWarning, "checking the Go package in %s takes too long", dir)
		case ctx.Err() != nil:
		case err != nil:
			s.logf(messageWarning, "Go: %s: %v", dir, err)
		default:
			r.publish(r.storeGo(d, found))
		}
	})
}

// runGo runs `kubevet go` for the package in a directory and returns its findings.
func (s *server) runGo(ctx context.Context, r *root, dir string) ([]rules.Finding, error) {
	args := append(append([]string(nil), s.o.Program[1:]...), "go", "--directory", dir, "--output", "json", "--quiet", "--fail-on", "never", ".")
	if target := r.TargetSetting(); target != "" {
		args = append(args, "--target", target)
	}
	cmd := exec.CommandContext(ctx, s.o.Program[0], args...)
	cmd.Dir, cmd.Env = r.Dir, s.o.App.Env
	cmd.WaitDelay = time.Second
	var out, problems limitedBuffer
	out.left, problems.left = maxGoOutput, 4<<10
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	var answer struct {
		Findings []rules.Finding `json:"findings"`
	}
	if json.Unmarshal(out.Bytes(), &answer) == nil {
		return answer.Findings, nil // some packages may have failed; the findings of the others are still correct
	}
	if err == nil {
		err = errors.New("the output is not JSON")
	}
	return nil, errors.New(quote.Text(err.Error() + ": " + strings.TrimSpace(problems.String())))
}

// limitedBuffer keeps the first bytes that are written and drops the rest.
type limitedBuffer struct {
	bytes.Buffer
	left int
}

func (l *limitedBuffer) Write(p []byte) (int, error) {
	kept := p[:min(len(p), l.left)]
	l.left -= len(kept)
	l.Buffer.Write(kept)
	return len(p), nil
}

// storeGo replaces the findings in the Go files of a package and returns the paths of the
// changed files. Only findings in the saved file get code actions, because other files
// may have unsaved changes.
func (r *root) storeGo(saved *document, found []rules.Finding) (paths []string) {
	dir := filepath.Dir(saved.path)
	byPath := map[string][]rules.Finding{}
	for _, f := range found {
		path := r.Path(f.File)
		byPath[path] = append(byPath[path], f)
	}
	r.mu.Lock()
	for path, f := range r.files {
		if filepath.Dir(path) == dir && len(f.parts[partGo]) > 0 && byPath[path] == nil {
			byPath[path] = []rules.Finding{}
		}
	}
	r.mu.Unlock()
	for path, list := range byPath {
		r.storePart(path, partGo, list)
		paths = append(paths, path)
	}
	r.mu.Lock()
	r.file(saved.path).goVersion = saved.version
	r.mu.Unlock()
	return paths
}
