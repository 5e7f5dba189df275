package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// lastApplied is the annotation with the manifest that kubectl applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// metadata is the part of an object's metadata that findings need: names, and
// fields with API versions.
type metadata struct {
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace,omitempty"`
	UID               string            `json:"uid,omitempty"`
	ResourceVersion   string            `json:"resourceVersion,omitempty"`
	CreationTimestamp string            `json:"creationTimestamp,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	OwnerReferences   []struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		UID        string `json:"uid,omitempty"`
		Controller bool   `json:"controller,omitempty"`
	} `json:"ownerReferences,omitempty"`
	ManagedFields []struct {
		Manager     string `json:"manager,omitempty"`
		Operation   string `json:"operation,omitempty"`
		APIVersion  string `json:"apiVersion,omitempty"`
		Time        string `json:"time,omitempty"`
		Subresource string `json:"subresource,omitempty"`
	} `json:"managedFields,omitempty"`
}

// trim removes the labels, unless keepLabels is true, and all annotations
// except the manifest that kubectl applied. It keeps only the apiVersion and
// the kind of this manifest, because all other parts may be secret.
func (m *metadata) trim(keepLabels bool) {
	applied := m.Annotations[lastApplied]
	m.Annotations = nil
	if !keepLabels {
		m.Labels = nil
	}
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if applied == "" || json.Unmarshal([]byte(applied), &head) != nil || head.APIVersion == "" {
		return
	}
	if kept, err := json.Marshal(head); err == nil {
		m.Annotations = map[string]string{lastApplied: string(kept)}
	}
}

// maxKept is the largest size of all objects in memory, in bytes: several
// million objects without bodies.
const maxKept = 1 << 30

// objects are objects as JSON, one on each line.
type objects struct {
	text  bytes.Buffer
	count int
	max   int // largest size of text in bytes; 0 means maxKept
}

// add adds a value that contains n objects.
func (o *objects) add(value any, n int) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if limit := cmp.Or(o.max, maxKept); o.text.Len()+len(text) > limit {
		return fmt.Errorf("the objects need more than %d bytes of memory", limit)
	}
	o.text.Write(text)
	o.text.WriteByte('\n')
	o.count += n
	return nil
}

// input returns the objects as an input of the linter. Its findings have no
// lines, because users cannot see the text.
func (o *objects) input(name string, reading manifestlint.Reading) manifestlint.Input {
	text := o.text.Bytes()
	return manifestlint.Input{
		Name:    name,
		Open:    func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		Reading: reading,
		Trace: func(f *rules.Finding) bool {
			f.Line, f.Column, f.EndLine, f.EndColumn, f.Document = 0, 0, 0, 0, 0
			f.Fix, f.Notes = nil, nil
			return true
		},
	}
}

// objects lists all objects, without their bodies.
func (s *scan) objects(ctx context.Context) error {
	for _, r := range s.resourcesToList() {
		n := 0
		err := s.list(ctx, request{path: r.path(), accept: metadataOnly}, func(item json.RawMessage) error {
			var o struct {
				APIVersion string   `json:"apiVersion"`
				Kind       string   `json:"kind"`
				Metadata   metadata `json:"metadata"`
			}
			if err := json.Unmarshal(item, &o); err != nil {
				return err
			}
			n++
			o.APIVersion, o.Kind = r.apiVersion(), r.kind
			if r.kind == "Namespace" && r.group == "" {
				// Pod Security Admission reads the labels of a namespace.
				o.Metadata.trim(true)
				return s.withBodies.add(o, 1)
			}
			o.Metadata.trim(false)
			return s.metadataOnly.add(o, 1)
		})
		if err != nil {
			if err := s.recordFailure(ctx, "list "+r.String(), err); err != nil {
				return err
			}
			continue
		}
		s.found.Resources++
		s.addLost(r, n)
	}
	return nil
}

// addLost adds a finding for n objects of a kind that no server of the target
// serves. After an upgrade, clients could not read the objects.
func (s *scan) addLost(r resource, n int) {
	api, known := lifecycle.LookupGV(r.apiVersion(), r.kind)
	if !known || n == 0 {
		return
	}
	var minors lifecycle.Minors
	for m := s.target.From; m <= s.target.To && m > 0; m++ {
		if m > s.Version && api.State(m, s.target) == lifecycle.Removed && !servedElsewhere(api, m, s.target) {
			minors = minors.With(m)
		}
	}
	if minors == 0 {
		return
	}
	s.found.Findings = append(s.found.Findings, rules.Finding{
		Rule: "removedapi", Severity: rules.Error, File: s.Name, Minors: minors.String(),
		Message: lostText(r, api, n, minors),
	})
}

// servedElsewhere reports whether a server serves the kind in another version
// of its group, or in the group that replaces it.
func servedElsewhere(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) bool {
	groups := map[string]bool{api.Group(): true}
	if next, ok := api.Successor(); ok {
		groups[next.Group()] = true
	}
	for other := range lifecycle.All() {
		if other.Kind() == api.Kind() && groups[other.Group()] && other.State(m, t) != lifecycle.Removed && other.State(m, t) != lifecycle.NotYet {
			return true
		}
	}
	return false
}
