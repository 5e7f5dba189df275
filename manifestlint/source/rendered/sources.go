package rendered

import (
	"slices"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// Sources reads the files from which units were rendered, and their
// kubevet:ignore comments, when a finding is in the file. It is safe for
// concurrent use.
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

// NewSources returns Sources that read files with a function, by the path that
// the user would type.
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

// Text returns a file's content. Callers must not change it.
func (s *Sources) Text(name string) ([]byte, error) {
	f := s.file(name)
	return f.text, f.err
}

// Document returns the index of the document that contains a line of a file.
// The index counts from 0, and the line from 1.
func (s *Sources) Document(name string, line int) int { return s.file(name).comments.Document(line) }

// Suppressed reports whether a comment in the finding's file suppresses it, and
// marks the comment as used. A Trace function must set the finding's position
// before.
func (s *Sources) Suppressed(f *rules.Finding) bool {
	return s.file(f.File).comments.Suppress(f)
}

// Use marks a comment on a line as used for a rule. The linter calls it for a
// comment that suppresses a finding in the file itself.
func (s *Sources) Use(name string, line int, rule string) { s.file(name).comments.Use(line, rule) }

// Unused returns a finding for each comment that suppresses nothing although
// its rule is active. The findings have no severity yet. They are sorted by
// file name.
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
