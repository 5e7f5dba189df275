package upgradecmd

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// owner identifies an upgrade.Owner.
type owner struct{ kind, name string }

// objectOwners finds the owners of objects, from labels of the objects and from the
// applications of Argo CD and Flux that deploy a directory. It is safe for concurrent
// use.
type objectOwners struct {
	// labels are the values of --owner-label.
	labels []string
	// root is the directory to which the paths in applications are relative.
	root string

	mu sync.Mutex
	// fromLabels has the owners from the labels of --owner-label. fromTools has the
	// owners from the labels of deployment tools. An object whose copies have different
	// owners has no owner here.
	fromLabels, fromTools map[objectKey]owner
	apps                  []deployment
}

// objectKey identifies an object. file may be empty.
type objectKey struct {
	file string
	ref  rules.ObjectRef
}

// deployment is a directory and the application that deploys it.
type deployment struct {
	dir string
	by  owner
}

// maxOwned is the maximal number of objects and applications in memory.
const maxOwned = 500_000

func newObjectOwners(labels []string, dir string) *objectOwners {
	return &objectOwners{labels: labels, root: cmp.Or(treefile.Repository(dir), dir), fromLabels: map[objectKey]owner{}, fromTools: map[objectKey]owner{}}
}

// add stores the owner of an object. If the object is an application, it also stores the
// directories that the application deploys.
func (x *objectOwners) add(e manifestlint.Event) {
	o := e.Object
	if o == nil {
		return
	}
	chosen, managed, apps := x.labelOwner(o), toolOwner(o), deployments(o)
	if chosen == (owner{}) && managed == (owner{}) && len(apps) == 0 {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.fromLabels)+len(x.fromTools)+len(x.apps) > maxOwned {
		return
	}
	ref := *o.Ref()
	for _, k := range []objectKey{{strings.Clone(e.Input.Name), ref}, {"", ref}} {
		keep(x.fromLabels, k, chosen)
		keep(x.fromTools, k, managed)
	}
	x.apps = append(x.apps, apps...)
}

func keep(to map[objectKey]owner, k objectKey, o owner) {
	if o == (owner{}) {
		return
	}
	if other, known := to[k]; known && other != o {
		o = owner{}
	}
	to[k] = o
}

// labelOwner returns the owner from the labels or annotations of --owner-label, or the
// zero value.
func (x *objectOwners) labelOwner(o *manifestlint.Object) owner {
	meta := o.Root.Get("metadata")
	for _, label := range x.labels {
		for _, of := range []string{"labels", "annotations"} {
			if v := meta.At(of, label).StringOr(""); v != "" {
				return owner{"label", strings.Clone(v)}
			}
		}
	}
	return owner{}
}

// toolOwner returns the owner from the labels and annotations of deployment tools, or the
// zero value.
func toolOwner(o *manifestlint.Object) owner {
	meta := o.Root.Get("metadata")
	label := func(name string) string { return strings.Clone(meta.At("labels", name).StringOr("")) }
	note := func(name string) string { return strings.Clone(meta.At("annotations", name).StringOr("")) }
	if app, _, _ := strings.Cut(note("argocd.argoproj.io/tracking-id"), ":"); app != "" {
		return owner{"argocd", app}
	}
	if app := label("argocd.argoproj.io/instance"); app != "" {
		return owner{"argocd", app}
	}
	for _, tool := range []string{"kustomize", "helm"} {
		if name := label(tool + ".toolkit.fluxcd.io/name"); name != "" {
			return owner{"flux", qualifiedName(label(tool+".toolkit.fluxcd.io/namespace"), name)}
		}
	}
	by := label("app.kubernetes.io/managed-by")
	if release := note("meta.helm.sh/release-name"); release != "" {
		return owner{"helm", qualifiedName(note("meta.helm.sh/release-namespace"), release)}
	}
	if instance := label("app.kubernetes.io/instance"); by == "Helm" && instance != "" {
		return owner{"helm", qualifiedName(strings.Clone(o.Namespace), instance)}
	}
	if by == "" || by == "Helm" {
		return owner{}
	}
	return owner{"manager", by}
}

// qualifiedName returns "namespace/name", or the name if namespace is empty.
func qualifiedName(namespace, name string) string { return strings.TrimPrefix(namespace+"/"+name, "/") }

// deployments returns the directories that an application of Argo CD or Flux deploys. It
// returns none for other objects.
func deployments(o *manifestlint.Object) (all []deployment) {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	spec := o.Root.Get("spec")
	add := func(kind string, at *wire.Value) {
		dir := path.Clean(strings.TrimPrefix(at.StringOr(""), "/"))
		if at.StringOr("") != "" && filepath.IsLocal(filepath.FromSlash(dir)) && dir != "." && !strings.Contains(dir, "{{") {
			all = append(all, deployment{strings.Clone(dir), owner{kind, qualifiedName(strings.Clone(o.Namespace), strings.Clone(o.Name))}})
		}
	}
	switch {
	case group == "argoproj.io" && o.Kind == "Application":
		add("argocd", spec.At("source", "path"))
		for _, s := range spec.Get("sources").Elements() {
			add("argocd", s.Get("path"))
		}
	case group == "kustomize.toolkit.fluxcd.io" && o.Kind == "Kustomization":
		add("flux", spec.Get("path"))
	case group == "helm.toolkit.fluxcd.io" && o.Kind == "HelmRelease":
		add("flux", spec.At("chart", "spec", "chart"))
	}
	for i := range all { // for Argo CD, the namespace says nothing about the owner
		if all[i].by.kind == "argocd" {
			all[i].by.name = strings.Clone(o.Name)
		}
	}
	return all
}

// setOwner sets the owner of a fact about an object. It uses the first known owner, in
// this order: labels of --owner-label, CODEOWNERS, applications, labels of deployment
// tools.
func (x *objectOwners) setOwner(f *upgrade.Fact, found *rules.Finding, path func(string) string) {
	if found.Object != nil {
		if o := x.fromLabels[objectKey{found.File, *found.Object}]; o != (owner{}) {
			f.OwnerKind, f.OwnerName = o.kind, o.name
			return
		}
		if o := x.fromLabels[objectKey{"", *found.Object}]; o != (owner{}) && len(found.RenderedBy) > 0 {
			f.OwnerKind, f.OwnerName = o.kind, o.name
			return
		}
	}
	if f.OwnerKind != "manifest" && f.OwnerKind != "namespace" {
		return
	}
	if f.OwnerKind == "manifest" {
		for _, name := range append([]string{found.File}, found.RenderedBy...) {
			if o := x.deployer(path(name)); o != (owner{}) {
				f.OwnerKind, f.OwnerName = o.kind, o.name
				return
			}
		}
	}
	if found.Object == nil {
		return
	}
	for _, k := range []objectKey{{found.File, *found.Object}, {"", *found.Object}} {
		if o := x.fromTools[k]; o != (owner{}) && (k.file != "" || len(found.RenderedBy) > 0) {
			f.OwnerKind, f.OwnerName = o.kind, o.name
			return
		}
	}
}

// deployer returns the application that deploys a file, from the innermost deployed
// directory that contains the file.
func (x *objectOwners) deployer(file string) (by owner) {
	if !filepath.IsAbs(file) {
		return owner{}
	}
	rel, err := filepath.Rel(x.root, file)
	if err != nil {
		return owner{}
	}
	rel = filepath.ToSlash(rel)
	longest := 0
	for _, a := range x.apps {
		if len(a.dir) > longest && strings.HasPrefix(rel, a.dir+"/") {
			longest, by = len(a.dir), a.by
		}
	}
	return by
}
