package checks

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const ruleCRDVersions = "crdversions"

// crdVersions reports versions of a custom resource definition that clients
// cannot use well, although the server accepts them. serverAnswer reports the
// versions that the server refuses.
func crdVersions() manifestlint.Check {
	return manifestlint.Check{
		Rule: ruleCRDVersions,
		Run: func(p *manifestlint.Pass) {
			if isDefinition(p.Object) {
				checkVersions(p)
			}
		},
	}
}

// isDefinition reports whether an object is a custom resource definition.
func isDefinition(o *manifestlint.Object) bool {
	return o.Kind == "CustomResourceDefinition" && strings.HasPrefix(o.APIVersion, "apiextensions.k8s.io/")
}

// isVersionsError reports whether an error is about the versions of a custom
// resource definition. It returns false for an object without versions, such as
// a patch, because this object also lacks other required fields.
func isVersionsError(o *manifestlint.Object, c *apiserver.Cause) bool {
	if v := o.Root.At("spec", "versions"); !isDefinition(o) || v == nil || len(v.Items) == 0 {
		return false
	}
	return strings.HasSuffix(c.Field, ".deprecationWarning") || c.Field == "spec.versions" || strings.HasPrefix(c.Field, "status.storedVersions")
}

// checkVersions checks the fields served, storage and deprecated of all
// versions.
func checkVersions(p *manifestlint.Pass) {
	d, ok := customresource.Read(p.Object.Root)
	minors := p.Object.API.ServedMinors(p.Target)
	if !ok || minors == 0 || len(d.Versions) == 0 {
		return
	}
	report := func(at *wire.Value, i int, field, format string, args ...any) {
		path := fmt.Sprintf("spec.versions[%d]", i)
		if field != "" {
			path += "." + field
		}
		p.ReportAs(rules.Warning, manifestlint.SpanOf(at), rules.Finding{
			Message: fmt.Sprintf(format, args...), Path: path, Minors: minors.String(),
		})
	}
	if p.Object.Dumped() {
		checkStoredVersions(p, d, minors)
	}
	served := d.Served()
	if len(served) == 0 {
		report(d.Versions[0].At.Get("served"), 0, "served", "no version is served: a server with this definition has no resource of kind %s", d.Kind)
		return
	}
	for i := range d.Versions {
		if v := &d.Versions[i]; v.Storage && !v.Served {
			report(v.At.Get("served"), i, "served",
				"version %q is stored and not served: every object is converted on each read and write, and none can be asked for as it is stored", v.Name)
		}
	}
	if minors.Newest() < 19 {
		return // no server of the target knows the field deprecated
	}
	current := 0
	for _, name := range served {
		if !d.Version(name).Deprecated {
			current++
		}
	}
	for i := range d.Versions {
		v := &d.Versions[i]
		if !v.Deprecated || !v.Served || d.Better(v.Name) != "" {
			continue
		}
		if current == 0 {
			if v.Name == served[0] {
				report(v.At.Get("deprecated"), i, "deprecated", "every version that is served is deprecated: users of %s are warned and have nowhere to go", d.Kind)
			}
			continue
		}
		report(v.At.Get("deprecated"), i, "deprecated",
			"version %q is deprecated, and the server recommends no other: of the versions that are served and not deprecated none is greater", v.Name)
	}
}

// checkStoredVersions reports a version in status.storedVersions that is
// deprecated or not served. Objects may be stored in these versions.
//
// The server refuses to remove a version in status.storedVersions from the
// definition (apiextensions, pkg/apis/apiextensions/validation,
// ValidateCustomResourceDefinitionStoredVersions). It never removes a version
// from status.storedVersions.
func checkStoredVersions(p *manifestlint.Pass, d *customresource.Definition, minors lifecycle.Minors) {
	list := p.Object.Root.At("status", "storedVersions")
	if list == nil || list.Kind != wire.List {
		return
	}
	for i, item := range list.Items {
		v := d.Version(item.StringOr(""))
		if v == nil || v.Storage {
			continue // the server refuses an unknown version, and needs the storage version
		}
		severity, fault := rules.Warning, "not served"
		switch {
		case !v.Served:
		case v.Deprecated:
			severity, fault = rules.Info, "deprecated"
		default:
			continue
		}
		p.ReportAs(severity, manifestlint.SpanOf(item), rules.Finding{
			Message: fmt.Sprintf("objects may still be stored in version %q, which is %s: before it is dropped, write them all again and take it out of status.storedVersions", v.Name, fault),
			Path:    fmt.Sprintf("status.storedVersions[%d]", i), Minors: minors.String(),
		})
	}
}
