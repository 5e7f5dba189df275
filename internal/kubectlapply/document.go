package kubectlapply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	yamlv2 "go.yaml.in/yaml/v2"
)

// document returns the error that kubectl prints for a document that is not an object, or
// "" if kubectl accepts it. ends is true if kubectl does not read the rest of the input.
func (k *Apply) document(name string, n *rules.NotJudged, text []byte) (message string, ends bool) {
	switch n.Reason {
	case rules.SkipEmpty, rules.SkipPatch, rules.SkipRendered:
		return "", false
	case rules.SkipTooLarge:
		return fmt.Sprintf("error parsing %s: a document is larger than --max-document-size", name), true
	}
	first := n.Document == 0
	var value any
	err := yamlv2.Unmarshal(parsedPart(text, first), &value)
	if err == nil {
		value, err = jsonValue(value)
	}
	if err == nil {
		return k.unknownDocument(name, n.Reason, value)
	}
	if first && bytes.HasPrefix(bytes.TrimSpace(text), []byte{'{'}) {
		// If the text may be JSON, kubectl prints the error of the JSON parser.
		if failed := json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage)); failed != nil {
			var syntax *json.SyntaxError
			if errors.As(failed, &syntax) {
				failed = fmt.Errorf("json: offset %d: %w", syntax.Offset, syntax)
			}
			return fmt.Sprintf("error parsing %s: %v", name, failed), true
		}
	}
	return fmt.Sprintf("error parsing %s: error converting YAML to JSON: %v", name, err), true
}

// parsedPart returns the part of a text that kubectl parses (apimachinery, YAMLReader).
// It begins after the separator line. Only at the start of an input, the separator line
// is a part of the document.
func parsedPart(text []byte, first bool) []byte {
	for rest := text; ; {
		line, after, ok := bytes.Cut(rest, []byte{'\n'})
		switch {
		case !ok:
			return text
		case bytes.HasPrefix(line, []byte("---")):
			if first && len(rest) == len(text) {
				return text
			}
			return after
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '#':
			return text
		}
		rest = after
	}
}

// jsonValue converts a value from YAML to a value that encoding/json can write. It
// returns the errors of sigs.k8s.io/yaml.
func jsonValue(v any) (any, error) {
	switch v := v.(type) {
	case map[any]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			switch key.(type) {
			case string, int, int64, uint64, float64, bool:
			default:
				return nil, fmt.Errorf("yaml: invalid map key: %#v", key)
			}
			var err error
			if m[fmt.Sprint(key)], err = jsonValue(value); err != nil {
				return nil, err
			}
		}
		return m, nil
	case []any:
		for i := range v {
			var err error
			if v[i], err = jsonValue(v[i]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// unknownDocument returns the error that kubectl prints for a value that is not an
// object, or "" if kubectl accepts it.
func (k *Apply) unknownDocument(name, reason string, v any) (message string, ends bool) {
	m, isMap := v.(map[string]any)
	apiVersion, _ := m["apiVersion"].(string)
	kind, _ := m["kind"].(string)
	if apiVersion != "" && kind != "" {
		if reason != rules.SkipNotKubernetes { // otherwise the document configures a program, such as kustomize
			return "", false
		}
		meta, _ := m["metadata"].(map[string]any)
		own, _ := meta["name"].(string)
		namespace, _ := meta["namespace"].(string)
		return noMapping(name, own, namespace, apiVersion, kind), false
	}
	if v == nil {
		return "", false
	}
	if k.Validation == apiserver.Ignore {
		body, err := json.Marshal(v)
		if err != nil {
			return "", false
		}
		if kind == "" {
			return fmt.Sprintf("unable to decode %q: Object 'Kind' is missing in '%s'", name, body), false
		}
		return fmt.Sprintf("unable to decode %q: Object 'apiVersion' is missing in '%s'", name, body), false
	}
	why := "invalid object to validate"
	switch {
	case isMap && apiVersion == "" && kind == "":
		why = "[apiVersion not set, kind not set]"
	case isMap && apiVersion == "":
		why = "apiVersion not set"
	case isMap:
		why = "kind not set"
	}
	return fmt.Sprintf("error validating %q: error validating data: %s; if you choose to ignore these errors, turn validation off with --validate=false", name, why), true
}

func noMapping(source, name, namespace, apiVersion, kind string) string {
	return fmt.Sprintf("resource mapping not found for name: %q namespace: %q from %q: no matches for kind %q in version %q\nensure CRDs are installed first", name, namespace, source, kind, apiVersion)
}
