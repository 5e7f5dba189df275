package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// resource is a resource in one version, as discovery lists it.
type resource struct {
	group, version, plural, kind string
	namespaced, lists            bool
}

// String returns the plural and the group, such as "deployments.apps" or
// "pods".
func (r resource) String() string {
	if r.group == "" {
		return r.plural
	}
	return r.plural + "." + r.group
}

// apiVersion returns the group and version, such as "apps/v1" or "v1".
func (r resource) apiVersion() string {
	if r.group == "" {
		return r.version
	}
	return r.group + "/" + r.version
}

// path returns the path for a list of all objects of the resource.
func (r resource) path() string {
	if r.group == "" {
		return "/api/" + r.version + "/" + r.plural
	}
	return "/apis/" + r.group + "/" + r.version + "/" + r.plural
}

// aggregatedDiscovery is the Accept header for all resources of all groups in
// one response. Servers support it since 1.26.
const aggregatedDiscovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
	"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"

// discovery has the fields of all responses for /api and /apis (k8s.io/api,
// apidiscovery/v2; apimachinery, meta/v1, APIVersions and APIGroupList).
type discovery struct {
	Kind     string   `json:"kind"`
	Versions []string `json:"versions"` // field of APIVersions
	Groups   []struct {
		Name     string `json:"name"`
		Versions []struct {
			Version string `json:"version"`
		} `json:"versions"`
	} `json:"groups"` // field of APIGroupList
	Items []struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Versions []struct {
			Version   string `json:"version"`
			Freshness string `json:"freshness"`
			Resources []struct {
				Resource     string `json:"resource"`
				ResponseKind struct {
					Kind string `json:"kind"`
				} `json:"responseKind"`
				Scope string   `json:"scope"`
				Verbs []string `json:"verbs"`
			} `json:"resources"`
		} `json:"versions"`
	} `json:"items"` // field of APIGroupDiscoveryList
}

func (s *scan) discover(ctx context.Context) error {
	for _, path := range []string{"/api", "/apis"} {
		var d discovery
		if err := s.get(ctx, request{path: path, accept: aggregatedDiscovery}, &d); err != nil {
			if err := s.recordFailure(ctx, "discover "+path, err); err != nil {
				return err
			}
			continue
		}
		switch d.Kind {
		case "APIGroupDiscoveryList":
			s.addDiscovered(&d)
		case "APIVersions":
			for _, v := range d.Versions {
				if err := s.discoverVersion(ctx, "", v); err != nil {
					return err
				}
			}
		case "APIGroupList":
			for _, g := range d.Groups {
				for _, v := range g.Versions {
					if err := s.discoverVersion(ctx, g.Name, v.Version); err != nil {
						return err
					}
				}
			}
		default:
			err := fmt.Errorf("the answer does not list APIs (kind %q): %w", d.Kind, errNoServer)
			if err := s.recordFailure(ctx, "discover "+path, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// addDiscovered adds the resources of a response with all groups.
func (s *scan) addDiscovered(d *discovery) {
	for _, g := range d.Items {
		for _, v := range g.Versions {
			if v.Freshness == "Stale" && len(v.Resources) == 0 {
				s.found.Unread = append(s.found.Unread, Unread{What: "discover " + resource{group: g.Metadata.Name, version: v.Version}.apiVersion(), Err: errStale})
				continue
			}
			for _, r := range v.Resources {
				s.resources = append(s.resources, resource{
					group: g.Metadata.Name, version: v.Version, plural: r.Resource, kind: r.ResponseKind.Kind,
					namespaced: r.Scope == "Namespaced", lists: slices.Contains(r.Verbs, "list"),
				})
			}
		}
	}
}

// discoverVersion requests the resources of one group version, from servers
// before 1.26.
func (s *scan) discoverVersion(ctx context.Context, group, version string) error {
	at := resource{group: group, version: version}
	path := strings.TrimSuffix(at.path(), "/")
	var list struct {
		Resources []struct {
			Name       string   `json:"name"`
			Kind       string   `json:"kind"`
			Namespaced bool     `json:"namespaced"`
			Verbs      []string `json:"verbs"`
		} `json:"resources"`
	}
	if err := s.get(ctx, request{path: path}, &list); err != nil {
		if apierrors.IsNotFound(err) {
			return nil // the version was removed in the meantime
		}
		return s.recordFailure(ctx, "discover "+at.apiVersion(), err)
	}
	for _, r := range list.Resources {
		if strings.Contains(r.Name, "/") {
			continue // a subresource
		}
		s.resources = append(s.resources, resource{
			group: group, version: version, plural: r.Name, kind: r.Kind,
			namespaced: r.Namespaced, lists: slices.Contains(r.Verbs, "list"),
		})
	}
	return nil
}
