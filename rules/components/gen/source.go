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

// The modules that are read. Other modules are missing for the type checker.
const (
	modKubernetes    = "k8s.io/kubernetes"
	modComponentBase = "k8s.io/component-base"
	modFlag          = "github.com/spf13/pflag"
	modKlog          = "k8s.io/klog/v2"
	modCadvisor      = "github.com/google/cadvisor/lib"
)

// staging are modules that are released together with k8s.io/kubernetes, with the
// version v0.x.y.
var staging = []string{
	"k8s.io/apiextensions-apiserver", "k8s.io/apimachinery", "k8s.io/apiserver", "k8s.io/cloud-provider", modComponentBase,
	"k8s.io/controller-manager", "k8s.io/kube-aggregator", "k8s.io/kube-controller-manager", "k8s.io/kube-proxy", "k8s.io/kube-scheduler",
	"k8s.io/kubelet",
}

// release is the Kubernetes release 1.minor.patch.
type release struct{ minor, patch int }

func (r release) String() string { return fmt.Sprintf("1.%d.%d", r.minor, r.patch) }

// oldest is the first minor of the tables. In earlier minors, too many flags are
// defined by modules that this program does not read.
const oldest = 20

// releases returns the releases from which the tables of package lifecycle were
// made, so that the list exists only once. lifecycle is the directory of that
// package.
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

// sources has the directories of the unpacked modules of one release.
type sources struct {
	release release
	dirs    map[string]string
}

// fetch downloads the modules of a release into the module cache modCache.
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
			continue // cadvisor/lib is a module only since 1.37
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

// downloadStaging downloads a module at the release's patch, or at the newest
// older patch if the proxy does not have it.
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
	cmd.Dir = modCache // a directory outside of any module
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

// dir returns the directory of a package. ok is false if the package is in a
// module that is not read.
func (s *sources) dir(importPath string) (_ string, ok bool) {
	for m, dir := range s.dirs {
		if rest, ok := strings.CutPrefix(importPath, m); ok && (rest == "" || rest[0] == '/') {
			dir = filepath.Join(dir, filepath.FromSlash(rest))
			info, err := os.Stat(dir)
			return dir, err == nil && info.IsDir()
		}
	}
	return "", false
}

// repositoryPath returns the path of a file in the repository of Kubernetes, or
// "" if the file is in another module.
func (s *sources) repositoryPath(file string) string {
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
