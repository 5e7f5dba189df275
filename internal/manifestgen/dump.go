package manifestgen

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/manifestgen/synth"
	"sigs.k8s.io/yaml"
)

// writeList writes objects as one List, as kubectl get prints it. If the name of the file
// ends with .json, it writes JSON (-o json), otherwise YAML (-o yaml).
func writeList(file string, g *synth.Generator, limit synth.Limit, visit func(synth.Place, *synth.Object) error) (s synth.Summary, err error) {
	f, err := os.Create(file)
	if err != nil {
		return s, err
	}
	out := bufio.NewWriter(f)
	defer func() { err = errors.Join(err, out.Flush(), f.Close()) }()
	before, item, after := "apiVersion: v1\nitems:\n", yamlItem, "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	if filepath.Ext(file) == ".json" {
		before, item, after = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [", jsonItem, "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
	}
	out.WriteString(before) // Flush returns the error later
	first := true
	s, err = g.Stream(io.Discard, limit, func(p synth.Place, o *synth.Object) error {
		text, err := item(o.Text, first)
		if err != nil {
			return err
		}
		first = false
		if _, err := out.Write(text); err != nil || visit == nil {
			return err
		}
		return visit(p, o)
	})
	out.WriteString(after)
	return s, err
}

// yamlItem converts a document to an item of a list as kubectl prints it, without
// comments and anchors.
func yamlItem(text []byte, _ bool) ([]byte, error) {
	data, err := yaml.YAMLToJSON(text)
	if err == nil {
		text, err = yaml.JSONToYAML(data)
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	mark := "- "
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			b.WriteString(mark)
			mark = "  "
		}
		b.Write(line)
	}
	return b.Bytes(), nil
}

func jsonItem(text []byte, first bool) ([]byte, error) {
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if !first {
		b.WriteByte(',')
	}
	b.WriteString("\n        ")
	err = json.Indent(&b, data, "        ", "    ")
	return b.Bytes(), err
}
