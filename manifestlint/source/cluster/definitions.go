package cluster

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// definitions reads custom resource definitions and API services with their
// bodies. The definitions are needed to check custom resources.
func (s *scan) definitions(ctx context.Context) error {
	s.deprecated, s.aggregated = map[string]bool{}, map[string]bool{}
	err := s.withBodies.readResource(ctx, s, "apiextensions.k8s.io", "customresourcedefinitions", func(item json.RawMessage) error {
		var d struct {
			Spec struct {
				Group string `json:"group"`
				Names struct {
					Plural string `json:"plural"`
				} `json:"names"`
				Versions []struct {
					Name       string `json:"name"`
					Deprecated bool   `json:"deprecated"`
				} `json:"versions"`
			} `json:"spec"`
		}
		if err := json.Unmarshal(item, &d); err != nil {
			return err
		}
		for _, v := range d.Spec.Versions {
			if v.Deprecated {
				s.deprecated[d.Spec.Group+"/"+v.Name+"/"+d.Spec.Names.Plural] = true
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.withBodies.readResource(ctx, s, "apiregistration.k8s.io", "apiservices", func(item json.RawMessage) error {
		var a struct {
			Spec struct {
				Group   string          `json:"group"`
				Version string          `json:"version"`
				Service json.RawMessage `json:"service"`
			} `json:"spec"`
		}
		if err := json.Unmarshal(item, &a); err != nil {
			return err
		}
		if len(a.Spec.Service) > 0 && string(a.Spec.Service) != "null" {
			s.aggregated[strings.TrimPrefix(a.Spec.Group+"/"+a.Spec.Version, "/")] = true
		}
		return nil
	})
}

// webhooks reads the webhook configurations with their bodies.
func (s *scan) webhooks(ctx context.Context) error {
	for _, plural := range []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"} {
		if err := s.withBodies.readResource(ctx, s, "admissionregistration.k8s.io", plural, nil); err != nil {
			return err
		}
	}
	return nil
}

// readResource reads all objects of a resource with their bodies, and removes
// the resource from s.resources. It calls look for each object before it is
// added; look may be nil.
func (o *objects) readResource(ctx context.Context, s *scan, group, plural string, look func(json.RawMessage) error) error {
	i := slices.IndexFunc(s.resources, func(r resource) bool {
		return r.group == group && r.plural == plural && r.lists && !s.isDeprecated(r)
	})
	if i < 0 {
		return nil
	}
	r := s.resources[i]
	err := s.list(ctx, request{path: r.path()}, func(item json.RawMessage) error {
		if look != nil {
			if err := look(item); err != nil {
				return err
			}
		}
		return o.addWhole(r, item)
	})
	s.resources = slices.DeleteFunc(s.resources, func(o resource) bool { return o.group == group && o.plural == plural })
	if err != nil {
		return s.recordFailure(ctx, "list "+r.String(), err)
	}
	s.found.Resources++
	return nil
}

// addWhole adds an object without most of its metadata. It adds apiVersion and
// kind, which the items of a list do not have.
func (o *objects) addWhole(r resource, item json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(item, &fields); err != nil {
		return err
	}
	var meta metadata
	if err := json.Unmarshal(fields["metadata"], &meta); err != nil {
		return err
	}
	meta.trim(true)
	var err error
	if fields["metadata"], err = json.Marshal(meta); err != nil {
		return err
	}
	fields["apiVersion"], _ = json.Marshal(r.apiVersion())
	fields["kind"], _ = json.Marshal(r.kind)
	return o.add(fields, 1)
}
