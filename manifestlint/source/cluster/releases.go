package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
)

// releasePage is the number of releases in a page. A release can have a
// megabyte.
const releasePage = 10

// storedRelease is the part of a Secret or ConfigMap that is needed to read a
// release.
type storedRelease struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   metadata `json:"metadata"`
	Type       string   `json:"type,omitempty"`
	Data       struct {
		Release string `json:"release"`
	} `json:"data"`
}

// releases reads the stored Helm releases in Secrets and ConfigMaps. All
// revisions of a release become one list, because the linter must choose the
// current revision.
func (s *scan) releases(ctx context.Context) error {
	type name struct{ kind, namespace, name string }
	all := map[name][]storedRelease{}
	replaced := "owner=helm,status in (superseded,uninstalled)"
	selector := "owner=helm,status notin (superseded,uninstalled)"
	if s.options.ReleaseHistory {
		selector = "owner=helm"
	}
	for _, r := range []resource{{version: "v1", plural: "secrets", kind: "Secret"}, {version: "v1", plural: "configmaps", kind: "ConfigMap"}} {
		if s.cannotList(r) {
			continue // already reported
		}
		requestName := "list " + r.plural + " of Helm releases"
		query := map[string]string{"labelSelector": selector}
		if r.kind == "Secret" {
			query["fieldSelector"] = "type=helm.sh/release.v1"
		}
		err := s.pages(ctx, request{path: r.path(), query: query}, releasePage, func(item json.RawMessage) error {
			var k storedRelease
			if err := json.Unmarshal(item, &k); err != nil {
				return err
			}
			if k.Data.Release == "" {
				return nil
			}
			k.APIVersion, k.Kind = r.apiVersion(), r.kind
			k.Metadata.trim(true)
			k.Metadata.ManagedFields = nil // already listed with the metadata of all objects
			n := name{r.kind, k.Metadata.Namespace, k.Metadata.Labels["name"]}
			all[n] = append(all[n], k)
			return nil
		})
		if err != nil {
			if err := s.recordFailure(ctx, requestName, err); err != nil {
				return err
			}
			continue
		}
		if s.options.ReleaseHistory {
			continue
		}
		query["labelSelector"] = replaced
		err = s.list(ctx, request{path: r.path(), accept: metadataOnly, query: query}, func(json.RawMessage) error {
			s.found.ReplacedReleases++
			return nil
		})
		if err != nil {
			if err := s.recordFailure(ctx, requestName, err); err != nil {
				return err
			}
		}
	}
	names := make([]name, 0, len(all))
	for n := range all {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b name) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	})
	for _, n := range names {
		list := struct {
			APIVersion string          `json:"apiVersion"`
			Kind       string          `json:"kind"`
			Items      []storedRelease `json:"items"`
		}{"v1", n.kind + "List", all[n]}
		// The count is 0, because the Secrets are counted with the metadata of all
		// objects.
		if err := s.withBodies.add(list, 0); err != nil {
			return err
		}
	}
	return nil
}

// cannotList reports whether listing a resource failed before.
func (s *scan) cannotList(r resource) bool {
	return slices.ContainsFunc(s.found.Unread, func(u Unread) bool { return u.What == "list "+r.String() })
}
