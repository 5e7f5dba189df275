package rendered

import (
	"slices"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// Sources are the files that units were rendered from, with their
// kubevet:ignore comments. Files are read when a finding leads to them. It is
// safe for concurrent use.
type Sources struct {
	read func(name string) ([]byte, error)
	mu   sync.Mutex
	all  map[string]*sourceFile
}

type sourceFile struct {
	once     sync.Once
	text     []byte
	err      error
	comments *manifestlint.Suppressions
}

// NewSources makes Sources that read files by what the user would type to mean
// them.
func NewSources(read func(name string) ([]byte, error)) *Sources {
	return &Sources{read: read, all: map[string]*sourceFile{}}
}

func (s *Sources) file(name string) *sourceFile {
	s.mu.Lock()
	f := s.all[name]
	if f == nil {
		f = &sourceFile{}
		s.all[name] = f
	}
	s.mu.Unlock()
	f.once.Do(func() {
		if f.text, f.err = s.read(name); f.err == nil {
			f.comments = manifestlint.ReadSuppressions(f.text)
		}
	})
	return f
}

// Text gives a file's content, which nobody may change.
func (s *Sources) Text(name string) ([]byte, error) {
	f := s.file(name)
	return f.text, f.err
}

// Document gives the 0-based index of the document of a file that a line is in.
func (s *Sources) Document(name string, line int) int { return s.file(name).comments.Document(line) }

// Suppressed reports whether a comment in the finding's file covers it there,
// and takes note that the comment is needed. It is what a Trace asks last.
func (s *Sources) Suppressed(f *rules.Finding) bool {
	return s.file(f.File).comments.Suppress(f)
}

// Use takes note that a comment on a line is needed for a rule: what the
// linter suppresses when it reads the file itself.
func (s *Sources) Use(name string, line int, rule string) { s.file(name).comments.Use(line, rule) }

// Unused gives a finding, without a severity, for each comment of the files
// that suppresses nothing although its rule is active, in order of the names.
func (s *Sources) Unused(names []string, active func(rule string) bool) []rules.Finding {
	names = slices.Clone(names)
	slices.Sort(names)
	var all []rules.Finding
	for _, name := range slices.Compact(names) {
		for _, f := range s.file(name).comments.Unused(active) {
			f.File = name
			all = append(all, f)
		}
	}
	return all
}
