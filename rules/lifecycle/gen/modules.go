package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

type module struct{ path, version string }

// sources has the directories of one release's unpacked modules.
type sources struct {
	dirs map[string]string
}

func (s sources) dir(mod string, elem ...string) string {
	return filepath.Join(append([]string{s.dirs[mod]}, elem...)...)
}

// packageDir returns the directory of an import path. It returns false if no
// module of s contains the import path.
func (s sources) packageDir(importPath string) (string, bool) {
	for mod, dir := range s.dirs {
		if rest, ok := strings.CutPrefix(importPath, mod+"/"); ok {
			return filepath.Join(dir, filepath.FromSlash(rest)), true
		}
	}
	return "", false
}

// fetch downloads the modules of a release into modCache with the go command.
// modCache should not be the user's module cache: the sources have gigabytes and
// are needed only once.
func fetch(r release, modCache string) (sources, error) {
	return fetchModules(r.modules(), modCache)
}

func fetchModules(mods []module, modCache string) (sources, error) {
	s := sources{dirs: map[string]string{}}
	for _, m := range mods {
		dir, err := downloadModule(m, modCache)
		if err != nil {
			return sources{}, err
		}
		s.dirs[m.path] = dir
	}
	return s, nil
}

// downloadModule runs go mod download for one module. It returns the directory
// with the unpacked module.
func downloadModule(m module, modCache string) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", m.path+"@"+m.version)
	// Outside of any module, no go.mod or go.work changes the result.
	cmd.Dir = modCache
	cmd.Env = append(os.Environ(), "GOMODCACHE="+modCache, "GOWORK=off", "GOFLAGS=-modcacherw")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run()
	var result struct{ Dir, Error string }
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		return "", fmt.Errorf("downloading %s@%s: %w: %s", m.path, m.version, errors.Join(runErr, err), bytes.TrimSpace(stderr.Bytes()))
	}
	if result.Error != "" {
		return "", fmt.Errorf("downloading %s@%s: %s", m.path, m.version, result.Error)
	}
	if runErr != nil || result.Dir == "" {
		return "", fmt.Errorf("downloading %s@%s: no directory: %w", m.path, m.version, runErr)
	}
	return result.Dir, nil
}
