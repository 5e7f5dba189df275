package oracle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

type document struct {
	Case
	// Pod becomes several cases: the Pod itself, and each kind of workload with the pod
	// as its template. Kinds limits these kinds. In cases of updates, OldPod is the
	// stored pod.
	Pod    map[string]any `json:"pod,omitempty"`
	OldPod map[string]any `json:"oldPod,omitempty"`
	Kinds  []string       `json:"kinds,omitempty"`
	// OldObj is a short form for a Setup with one object.
	OldObj json.RawMessage `json:"old,omitempty"`
}

// ReadCases reads all cases below a directory, from YAML files and compressed JSON lines,
// in the order of files and lines.
func ReadCases(dir string) ([]Case, error) {
	var files []string
	for _, pattern := range []string{"*.yaml", "*/*.yaml", "*.jsonl.gz", "*/*.jsonl.gz"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	var all []Case
	seen := map[string]string{}
	for _, file := range files {
		read := readYAML
		if strings.HasSuffix(file, ".gz") {
			read = ReadLines[Case]
		}
		cases, err := read(file)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return nil, err
		}
		name = strings.TrimSuffix(strings.TrimSuffix(filepath.ToSlash(name), ".yaml"), ".jsonl.gz")
		for i := range cases {
			c := &cases[i]
			c.File = name
			if strings.HasSuffix(file, ".yaml") {
				c.ID = name + "/" + c.ID
			}
			if other, ok := seen[c.ID]; ok && strings.HasSuffix(file, ".yaml") {
				return nil, fmt.Errorf("%s: case %s is in %s too", file, c.ID, other)
			}
			seen[c.ID] = file
		}
		all = append(all, cases...)
	}
	return all, nil
}

// readYAML reads the documents of a file. Each is a case or a list of cases.
func readYAML(file string) ([]Case, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var cases []Case
	docs := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for n := 1; ; n++ {
		text, err := docs.Read()
		if errors.Is(err, io.EOF) {
			return cases, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var d document
		if err := yaml.UnmarshalStrict(text, &d); err != nil {
			return nil, fmt.Errorf("%s: document %d: %w", file, n, err)
		}
		if d.ID == "" {
			return nil, fmt.Errorf("%s: document %d has no id", file, n)
		}
		expanded, err := d.expand()
		if err != nil {
			return nil, fmt.Errorf("%s: document %d (%s): %w", file, n, d.ID, err)
		}
		cases = append(cases, expanded...)
	}
}

// expand returns the cases of a document: one case, or one for each kind of
// workload.
func (d *document) expand() ([]Case, error) {
	if d.OldObj != nil {
		d.Setup = append(d.Setup, d.OldObj)
		if d.Op == "" {
			d.Op = "update"
		}
	}
	if d.Pod == nil {
		return []Case{d.Case}, nil
	}
	kinds := d.Kinds
	if kinds == nil {
		kinds = Workloads
	}
	cases := make([]Case, 0, len(kinds))
	for _, kind := range kinds {
		c := d.Case
		c.ID += "/" + kind
		obj, err := Wrap(kind, d.Pod)
		if err != nil {
			return nil, err
		}
		if c.Obj, err = json.Marshal(obj); err != nil {
			return nil, err
		}
		if d.OldPod != nil {
			old, err := Wrap(kind, d.OldPod)
			if err != nil {
				return nil, err
			}
			data, err := json.Marshal(old)
			if err != nil {
				return nil, err
			}
			c.Setup = append(slices.Clone(c.Setup), data)
			if c.Op == "" {
				c.Op = "update"
			}
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// ReadLines reads a compressed file of JSON lines.
func ReadLines[T any](file string) ([]T, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var all []T
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file, len(all)+1, err)
		}
		all = append(all, one)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

// WriteLines writes a compressed file of JSON lines. Equal values result in equal bytes.
func WriteLines[T any](file string, all []T) error {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(z)
	lines.SetEscapeHTML(false)
	for i := range all {
		if err := lines.Encode(all[i]); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}
