package kustomize

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func join(dir, entry string) string { return filepath.Join(dir, filepath.FromSlash(entry)) }

// fromKustomization finds the field of a kustomization that set a value. If
// there are several, it is the field that kustomize applies last.
func (l *lookup) fromKustomization(n *node) (location, bool) {
	path := n.path()
	if len(path) == 0 {
		return location{}, false
	}
	// The plan lists an overlay before its bases. kustomize applies the fields of
	// the overlay after those of the bases.
	for _, k := range l.t.plan.kustomizations {
		for _, find := range [...]func(*kustomization, *node, []any) (location, bool){
			l.image, l.replicas, l.operation, l.label, l.name, l.namespace,
		} {
			if at, ok := find(k, n, path); ok {
				if base, ok := l.objectLocation(); ok {
					at.related = append(at.related, l.related(base, l.describe()+", which is changed"))
				}
				return at, true
			}
		}
	}
	return location{}, false
}

func last(path []any) string {
	name, _ := path[len(path)-1].(string)
	return name
}

// image finds an entry of images that set the image's current name or tag.
func (l *lookup) image(k *kustomization, n *node, path []any) (location, bool) {
	if last(path) != "image" || n.Kind != yaml.ScalarNode {
		return location{}, false
	}
	for i := len(k.Images) - 1; i >= 0; i-- {
		im := k.Images[i]
		name := im.Name
		if im.NewName != "" {
			name = im.NewName
		}
		rest, ok := strings.CutPrefix(n.Value, name)
		if !ok || rest != "" && rest[0] != ':' && rest[0] != '@' {
			continue
		}
		switch {
		case im.Digest != "" && strings.HasSuffix(rest, "@"+im.Digest):
			return l.kustomizationAt(k, "images", i, "digest"), true
		case im.NewTag != "" && strings.HasPrefix(rest, ":"+im.NewTag):
			return l.kustomizationAt(k, "images", i, "newTag"), true
		case im.NewName != "":
			return l.kustomizationAt(k, "images", i, "newName"), true
		}
	}
	return location{}, false
}

func (l *lookup) kustomizationAt(k *kustomization, path ...any) location {
	at := k.places.span(path...)
	if at.line == 0 {
		at = span{1, 1, 1, 2}
	}
	return location{path: k.path, span: at}
}

func (l *lookup) replicas(k *kustomization, n *node, path []any) (location, bool) {
	if last(path) != "replicas" {
		return location{}, false
	}
	for i := len(k.Replicas) - 1; i >= 0; i-- {
		if strconv.FormatInt(k.Replicas[i].Count, 10) == n.Value && strings.Contains(l.o.name, k.Replicas[i].Name) {
			return l.kustomizationAt(k, "replicas", i, "count"), true
		}
	}
	return location{}, false
}

// label finds an entry of labels, commonLabels or commonAnnotations.
func (l *lookup) label(k *kustomization, n *node, path []any) (location, bool) {
	if len(path) < 2 || n.Kind != yaml.ScalarNode {
		return location{}, false
	}
	key := last(path)
	switch path[len(path)-2] {
	case "labels", "matchLabels", "selector", "podSelector":
		if k.CommonLabels[key] == n.Value && n.Value != "" {
			return l.kustomizationAt(k, "commonLabels", key), true
		}
		for i := len(k.Labels) - 1; i >= 0; i-- {
			if value, ok := k.Labels[i].Pairs[key]; ok && value == n.Value {
				return l.kustomizationAt(k, "labels", i, "pairs", key), true
			}
		}
	case "annotations":
		if value, ok := k.CommonAnnotations[key]; ok && value == n.Value {
			return l.kustomizationAt(k, "commonAnnotations", key), true
		}
	}
	return location{}, false
}

// name finds the namePrefix or nameSuffix that changed the object's own name.
// It does not find references to another object's name.
func (l *lookup) name(k *kustomization, n *node, path []any) (location, bool) {
	if len(path) != 2 || path[0] != "metadata" || path[1] != "name" {
		return location{}, false
	}
	switch {
	case k.NamePrefix != "" && strings.HasPrefix(n.Value, k.NamePrefix):
		return l.kustomizationAt(k, "namePrefix"), true
	case k.NameSuffix != "" && strings.HasSuffix(n.Value, k.NameSuffix):
		return l.kustomizationAt(k, "nameSuffix"), true
	}
	return location{}, false
}

func (l *lookup) namespace(k *kustomization, n *node, path []any) (location, bool) {
	if k.Namespace == "" || n.Value != k.Namespace {
		return location{}, false
	}
	if last(path) == "namespace" || l.o.kind == "Namespace" && len(path) == 2 && path[0] == "metadata" && path[1] == "name" {
		return l.kustomizationAt(k, "namespace"), true
	}
	return location{}, false
}

// operation finds the operation of a JSON patch that set a field to its current
// value, directly or as a part of a parent.
func (l *lookup) operation(k *kustomization, n *node, path []any) (location, bool) {
	for _, list := range [...]struct {
		name string
		all  []types.Patch
	}{{"patchesJson6902", k.PatchesJson6902}, {"patches", k.Patches}} {
		for i := len(list.all) - 1; i >= 0; i-- {
			patch := &list.all[i]
			if !l.mayTarget(patch.Target) {
				continue
			}
			ops := l.t.plan.operations(k, list.name, i, patch)
			if ops == nil {
				continue
			}
			if at, ok := ops.findSetter(n, path); ok {
				if use, ok := k.patchEntry(l.t.plan, at.path); ok && at.path != k.path {
					at.related = append(at.related, l.related(use, "the patch is applied here"))
				}
				return at, true
			}
		}
	}
	return location{}, false
}

// mayTarget reports whether a patch with the target t can apply to the object.
// The name may have changed since the patch, so a part of the current name or
// the name in the object's file may match too.
func (l *lookup) mayTarget(t *types.Selector) bool {
	if t == nil {
		return true
	}
	if t.Kind != "" && !matches(t.Kind, l.o.kind) {
		return false
	}
	if t.Name == "" || strings.Contains(l.o.name, t.Name) || matches(".*"+t.Name+".*", l.o.name) {
		return true
	}
	s := l.objectDocument()
	return s != nil && matches(t.Name, s.head().name)
}

func matches(pattern, text string) bool {
	re, err := regexp.Compile("^(?:" + pattern + ")$")
	return err == nil && re.MatchString(text)
}

// generated returns the location of the object, or of the kustomization if that
// is unknown.
func (l *lookup) generated() location {
	if base, ok := l.objectLocation(); ok {
		return base
	}
	for _, k := range l.t.plan.kustomizations {
		for i, g := range k.ConfigMapGenerator {
			if l.o.kind == "ConfigMap" && g.Name != "" && strings.Contains(l.o.name, g.Name) {
				return l.kustomizationAt(k, "configMapGenerator", i, "name")
			}
		}
		for i, g := range k.SecretGenerator {
			if l.o.kind == "Secret" && g.Name != "" && strings.Contains(l.o.name, g.Name) {
				return l.kustomizationAt(k, "secretGenerator", i, "name")
			}
		}
	}
	return l.t.kustomizationStart()
}
