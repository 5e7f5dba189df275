package upgradecmd

import (
	"io"
	"os"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// maxCommented is the maximal size of a file whose comments are read, in bytes (32 MiB).
const maxCommented = 32 << 20

// comments has the kubevet:ignore comments of files, for facts that come from no rule.
// Comments name such facts by their category. The linter itself applies comments that
// name a rule.
type comments struct {
	path  func(string) string
	files map[string]*manifestlint.Suppressions
}

func (c *comments) suppresses(f *upgrade.Fact) bool {
	if f.Evidence.Source != "manifests" || f.Evidence.File == "-" || f.Evidence.Line == 0 {
		return false
	}
	s, ok := c.files[f.Evidence.File]
	if !ok {
		s = readComments(c.path(f.Evidence.File))
		c.files[f.Evidence.File] = s
	}
	return s.Suppress(&rules.Finding{Rule: f.Category, Line: f.Evidence.Line})
}

// readComments returns the comments of a regular file. It returns nil for other names,
// such as the name of a file in an archive.
func readComments(name string) *manifestlint.Suppressions {
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(file, maxCommented))
	if err != nil {
		return nil
	}
	return manifestlint.ReadSuppressions(text)
}
