package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// keepModule downloads a version of a Go module with the go command. It moves the
// files that match the patterns to the directory kept, and removes other files.
func keepModule(module, version string, patterns []string, cache, kept string) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(cache, "module-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	cmd := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	cmd.Dir = temp // a directory outside of any module
	cmd.Env = append(os.Environ(), "GOMODCACHE="+filepath.Join(temp, "modules"), "GOWORK=off", "GOFLAGS=-modcacherw")
	out, runErr := cmd.Output()
	var result struct{ Dir, Error string }
	if err := json.Unmarshal(out, &result); err != nil {
		return errors.Join(runErr, err)
	}
	if result.Error != "" || result.Dir == "" {
		return errors.Join(errors.New(result.Error), runErr)
	}
	part := filepath.Join(temp, "kept")
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(result.Dir, filepath.FromSlash(p)))
		if err != nil {
			return err
		}
		for _, name := range names {
			rel, err := filepath.Rel(result.Dir, name)
			if err != nil {
				return err
			}
			to := filepath.Join(part, rel)
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				return err
			}
			if err := os.Rename(name, to); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return err
	}
	return os.Rename(part, kept)
}
