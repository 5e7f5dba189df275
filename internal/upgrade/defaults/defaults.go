// Package defaults finds fields that two releases set to different defaults in the same
// object.
//
// The defaults are from package admitted, which repeats the defaulting of kube-apiserver.
// Tests compare them with objects that real servers returned.
package defaults

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/admitted"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Oldest is the oldest release whose defaults are known.
const Oldest = lifecycle.Minor(26)

// Check implements seen.Check.
type Check struct {
	versions upgrade.Upgrade
	facts    []upgrade.Fact
	// objects is the number of compared objects. added is the number of fields that older
	// releases leave empty, and for which a newer release sets a default.
	objects, added int
}

// New returns a check.
func New(way upgrade.Upgrade) *Check { return &Check{versions: way} }

// maxChanges is the maximal number of changes to report for one object.
const maxChanges = 100

// See compares the defaults of an object from a file. It skips the objects of a cluster,
// because they keep the defaults with which they were stored.
func (c *Check) See(o *seen.Object) {
	from := max(c.versions.From, Oldest)
	if o.Live || o.Ref.Kind == "" || c.versions.To <= from {
		return
	}
	before, after := withDefaults(from, o), withDefaults(c.versions.To, o)
	if before == nil || after == nil {
		return
	}
	if c.objects++; reflect.DeepEqual(before.obj, after.obj) {
		return
	}
	reported := map[string]bool{}
	last := before
	for m := from + 1; m <= c.versions.To; m++ {
		next := withDefaults(m, o)
		// If only one of two releases knows a field, the other release drops the field,
		// which another check reports. The dropped field may change the defaults of other
		// fields, so the two releases are not compared.
		if last != nil && next != nil && slices.Equal(last.unknown, next.unknown) {
			for _, d := range differences(nil, last.fields(), next.fields()) {
				at, path := d.deepestValue(o.Root)
				switch {
				case d.before == nil:
					if schema.HasField(m-1, o.Ref.APIVersion, o.Ref.Kind, d.names()...) {
						c.added++
					}
				case !reported[path] && len(reported) < maxChanges:
					reported[path] = true
					c.report(o, at, path, d, m)
				}
			}
		}
		last = next
	}
}

// report adds the fact about a default that release m changes.
func (c *Check) report(o *seen.Object, at *wire.Value, path string, d difference, m lifecycle.Minor) {
	f := o.Fact("default", o.Ref.APIVersion+" "+o.Ref.Kind+" "+path, o.Position(at))
	f.Severity, f.Always, f.Planned = rules.Warning, true, m.String()
	f.Text = fmt.Sprintf("in %s the server sets %s, in %s %s", m-1, value(d.before), m, value(d.after))
	if d.after == nil {
		f.Text = fmt.Sprintf("in %s the server sets it if the manifest does not, here to %s; in %s it leaves it empty", m-1, value(d.before), m)
	}
	f.Replacement = "Write the field if its value matters. Stored objects keep the old value until a client writes them as a whole, which may start a rollout."
	f.Reference = source(o.Ref.APIVersion, path, m)
	c.facts = append(c.facts, f)
}

// value returns a value that a server sets as text of at most 80 characters.
func value(v any) string {
	const most = 80
	text := []rune(fmt.Sprint(v))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return string(text)
}

// source returns the address of the source file that sets a default. The defaults of pod
// specs are in the core group, for all kinds.
func source(apiVersion, path string, m lifecycle.Minor) string {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok || strings.Contains(path, "template.spec.") || strings.Contains(path, "jobTemplate.spec.template.") {
		group, version = "core", "v1"
	}
	group, _, _ = strings.Cut(group, ".")
	return fmt.Sprintf("https://github.com/kubernetes/kubernetes/blob/release-%s/pkg/apis/%s/%s/defaults.go", m, group, version)
}

// storedObject is an object as a release stores it.
type storedObject struct {
	obj runtime.Object
	// unknown has the warnings about fields that the release drops.
	unknown []string
}

// withDefaults returns an object as a release stores it, or nil if the release refuses
// the object or does not have its kind.
func withDefaults(m lifecycle.Minor, o *seen.Object) *storedObject {
	s, r := apiserver.Server{Minor: m}, apiserver.Request{APIVersion: o.Ref.APIVersion, Kind: o.Ref.Kind, New: o.Root}
	if !schema.Known(r.APIVersion, r.Kind, m) {
		return nil
	}
	read := schema.Decode(s, r)
	if len(read.Causes) > 0 {
		return nil
	}
	obj, _, err := admitted.Decoded(s, r)
	if err != nil {
		return nil
	}
	out := &storedObject{obj: obj}
	for _, w := range read.Warnings {
		out.unknown = append(out.unknown, w.Text)
	}
	return out
}

// fields returns the fields of the object without the status.
func (s *storedObject) fields() map[string]any {
	all, err := runtime.DefaultUnstructuredConverter.ToUnstructured(s.obj)
	if err != nil {
		return nil // not possible: all types of k8s.io/api can be converted
	}
	delete(all, "status")
	return all
}

// Facts returns the facts about all objects so far.
func (c *Check) Facts() []upgrade.Fact { return c.facts }

// Looked returns a text about what was compared, or "".
func (c *Check) Looked() string {
	if c.objects == 0 {
		return ""
	}
	text := "default values in " + report.Count(c.objects, "object")
	if c.versions.From < Oldest {
		text += fmt.Sprintf(" from %s on", Oldest)
	}
	if c.added > 0 {
		text += fmt.Sprintf(" (%s only in newer releases)", report.Count(c.added, "default"))
	}
	return text
}
