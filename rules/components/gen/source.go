package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Modules that are read. All others are unknown to the type checker, which goes on
// without them.
const (
	modKubernetes    = "k8s.io/kubernetes"
	modComponentBase = "k8s.io/component-base"
	modFlag          = "github.com/spf13/pflag"
	modKlog          = "k8s.io/klog/v2"
	modCadvisor      = "github.com/google/cadvisor/lib"
)

// staging are the modules that k8s.io/kubernetes releases with itself, as v0.x.y.
var staging = []string{
	"k8s.io/apiextensions-apiserver", "k8s.io/apimachinery", "k8s.io/apiserver", "k8s.io/cloud-provider", modComponentBase,
	"k8s.io/controller-manager", "k8s.io/kube-aggregator", "k8s.io/kube-controller-manager", "k8s.io/kube-proxy", "k8s.io/kube-scheduler",
	"k8s.io/kubelet",
}

// release is one release of Kubernetes, 1.minor.patch.
type release struct{ minor, patch int }

func (r release) String() string { return fmt.Sprintf("1.%d.%d", r.minor, r.patch) }

// oldest is the first minor of the tables: before it, too little of the flags was
// defined in the modules that are read.
const oldest = 20

// releases are those that the tables of package lifecycle were made from, so that one
// list has them.
func releases(lifecycle string) ([]release, error) {
	text, err := os.ReadFile(filepath.Join(lifecycle, "zz_generated.apis.go"))
	if err != nil {
		return nil, err
	}
	head, _, _ := bytes.Cut(text, []byte("const ("))
	var all []release
	for _, m := range regexp.MustCompile(`\b1\.([0-9]+)\.([0-9]+)\b`).FindAllSubmatch(head, -1) {
		minor, _ := strconv.Atoi(string(m[1]))
		patch, _ := strconv.Atoi(string(m[2]))
		if minor >= oldest {
			all = append(all, release{minor, patch})
		}
	}
	if len(all) == 0 {
		return nil, errors.New("zz_generated.apis.go names no releases")
	}
	return all, nil
}

// sources are the unpacked modules of one release.
type sources struct {
	release release
	dirs    map[string]string
}

// fetch downloads the modules of a release into a module cache.
func fetch(r release, modCache string) (*sources, error) {
	s := &sources{release: r, dirs: map[string]string{}}
	if err := s.download(modKubernetes, "v"+r.String(), modCache); err != nil {
		return nil, err
	}
	for _, m := range staging {
		if err := s.downloadStaging(m, modCache); err != nil {
			return nil, err
		}
	}
	required, err := os.ReadFile(filepath.Join(s.dirs[modKubernetes], "go.mod"))
	if err != nil {
		return nil, err
	}
	for _, m := range []string{modFlag, modKlog, modCadvisor} {
		version := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(m) + ` (v\S+)`).FindSubmatch(required)
		if version == nil && m == modCadvisor {
			continue // it is a module since 1.37
		}
		if version == nil {
			return nil, fmt.Errorf("%s: go.mod does not require %s", r, m)
		}
		if err := s.download(m, string(version[1]), modCache); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// downloadStaging downloads a module at the release's patch, or else at the newest
// older one: the proxy does not have every patch of every module.
func (s *sources) downloadStaging(m, modCache string) (err error) {
	for patch := s.release.patch; patch >= 0; patch-- {
		failed := s.download(m, fmt.Sprintf("v0.%d.%d", s.release.minor, patch), modCache)
		if failed == nil {
			return nil
		}
		err = errors.Join(err, failed)
	}
	return err
}

func (s *sources) download(m, version, modCache string) error {
	cmd := exec.Command("go", "mod", "download", "-json", m+"@"+version)
	cmd.Dir = modCache // outside any module
	cmd.Env = append(os.Environ(), "GOMODCACHE="+modCache, "GOWORK=off", "GOFLAGS=-modcacherw")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run()
	var result struct{ Dir, Error string }
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		return fmt.Errorf("downloading %s@%s: %w: %s", m, version, errors.Join(runErr, err), bytes.TrimSpace(stderr.Bytes()))
	}
	if result.Error != "" || result.Dir == "" {
		return fmt.Errorf("downloading %s@%s: %s", m, version, result.Error)
	}
	s.dirs[m] = result.Dir
	return nil
}

// dir returns the directory of a package, and false if no module that is read has it.
func (s *sources) dir(importPath string) (string, bool) {
	for m, dir := range s.dirs {
		if rest, ok := strings.CutPrefix(importPath, m); ok && (rest == "" || rest[0] == '/') {
			dir = filepath.Join(dir, filepath.FromSlash(rest))
			info, err := os.Stat(dir)
			return dir, err == nil && info.IsDir()
		}
	}
	return "", false
}

// place returns where a file of the modules is in the repository of Kubernetes, empty
// for other modules.
func (s *sources) place(file string) string {
	for m, dir := range s.dirs {
		rest, err := filepath.Rel(dir, file)
		if err != nil || !filepath.IsLocal(rest) {
			continue
		}
		switch {
		case m == modKubernetes:
			return filepath.ToSlash(rest)
		case slices.Contains(staging, m):
			return path.Join("staging/src", m, filepath.ToSlash(rest))
		}
	}
	return ""
}
