package auditlive

import (
	"path/filepath"

	"github.com/kubevet/kubevet/auditlog/history"
	"github.com/kubevet/kubevet/internal/atomicfile"
)

// Save writes a state to a file atomically. After an error, the file still has its former
// content.
func Save(path string, state *history.State) error {
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	if err := state.Write(file); err != nil {
		file.Abort()
		return err
	}
	if err := file.Commit(); err != nil {
		return err
	}
	return SyncDirectory(filepath.Dir(path))
}
