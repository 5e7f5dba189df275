package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/oracle"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// codeFile is the file with the conversions of the newest release's code.
const codeFile = "conversions-code.jsonl.gz"

// recorded returns the IDs of the cases that servers have answered.
func recorded(dir string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "conversions-*.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, file := range files {
		if filepath.Base(file) == codeFile {
			continue
		}
		all, err := oracle.ReadLines[conversion](file)
		if err != nil {
			return nil, err
		}
		for i := range all {
			ids[all[i].ID] = true
		}
	}
	return ids, nil
}

// readQuestions reads the cases of a directory from YAML documents. Their IDs begin with
// the name of the file.
func readQuestions(dir string) ([]question, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var all []question
	seen := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		docs := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
		for n := 1; ; n++ {
			text, err := docs.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if len(bytes.TrimSpace(text)) == 0 {
				continue
			}
			var q question
			if err := yaml.UnmarshalStrict(text, &q); err != nil {
				return nil, fmt.Errorf("%s: document %d: %w", file, n, err)
			}
			if q.ID == "" || q.Obj == nil {
				return nil, fmt.Errorf("%s: document %d has no id or no obj", file, n)
			}
			q.ID = strings.TrimSuffix(filepath.Base(file), ".yaml") + "/" + q.ID
			if seen[q.ID] {
				return nil, fmt.Errorf("%s: there are two cases %s", file, q.ID)
			}
			seen[q.ID] = true
			all = append(all, q)
		}
	}
	return all, nil
}
