// Package defaults finds fields that two releases default differently in the same
// object.
//
// The defaults of the releases are those of package admitted, which restates them from
// the sources of kube-apiserver and compares them with the objects that released servers
// return.
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

// Oldest is the first release whose defaults are known.
const Oldest = lifecycle.Minor(26)

// Check is a seen.Check.
type Check struct {
	way   upgrade.Upgrade
	facts []upgrade.Fact
	// objects counts those that were compared, added the defaults of fields that older
	// releases have and leave empty.
	objects, added int
}

// New returns a check.
func New(way upgrade.Upgrade) *Check { return &Check{way: way} }

// maxChanges bounds the changes of an object.
const maxChanges = 100

// See implements seen.Check. Objects of a cluster are left out: they keep the defaults
// with which they were stored.
func (c *Check) See(o *seen.Object) {
	from := max(c.way.From, Oldest)
	if o.Live || o.Ref.Kind == "" || c.way.To <= from {
		return
	}
	before, after := defaulted(from, o), defaulted(c.way.To, o)
	if before == nil || after == nil {
		return
	}
	if c.objects++; reflect.DeepEqual(before.obj, after.obj) {
		return
	}
	reported := map[string]bool{}
	last := before
	for m := from + 1; m <= c.way.To; m++ {
		next := defaulted(m, o)
		// Fields that only one of the releases knows are newly dropped or kept. That is
		// reported elsewhere, and decides about defaults of other fields.
		if last != nil && next != nil && slices.Equal(last.unknown, next.unknown) {
			for _, d := range differences(nil, last.fields(), next.fields()) {
				at, path := d.place(o.Root)
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

// report adds the fact of a default that a release changes.
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

// value formats a value that a server sets.
func value(v any) string {
	const most = 80
	text := []rune(fmt.Sprint(v))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return string(text)
}

// source returns the address of the file that sets a default: pod specs have those of
// the core group, in all kinds.
func source(apiVersion, path string, m lifecycle.Minor) string {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok || strings.Contains(path, "template.spec.") || strings.Contains(path, "jobTemplate.spec.template.") {
		group, version = "core", "v1"
	}
	group, _, _ = strings.Cut(group, ".")
	return fmt.Sprintf("https://github.com/kubernetes/kubernetes/blob/release-%s/pkg/apis/%s/%s/defaults.go", m, group, version)
}

// stored is an object as a release stores it.
type stored struct {
	obj runtime.Object
	// unknown are the warnings about fields that the release drops.
	unknown []string
}

// defaulted returns an object as a release stores it; nil if the release refuses it or
// lacks its kind.
func defaulted(m lifecycle.Minor, o *seen.Object) *stored {
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
	out := &stored{obj: obj}
	for _, w := range read.Warnings {
		out.unknown = append(out.unknown, w.Text)
	}
	return out
}

// fields returns the fields of the object without its status.
func (s *stored) fields() map[string]any {
	all, err := runtime.DefaultUnstructuredConverter.ToUnstructured(s.obj)
	if err != nil {
		return nil // types of k8s.io/api can be converted
	}
	delete(all, "status")
	return all
}

// Facts implements seen.Check.
func (c *Check) Facts() []upgrade.Fact { return c.facts }

// Looked says what was compared; empty for nothing.
func (c *Check) Looked() string {
	if c.objects == 0 {
		return ""
	}
	text := "default values in " + report.Count(c.objects, "object")
	if c.way.From < Oldest {
		text += fmt.Sprintf(" from %s on", Oldest)
	}
	if c.added > 0 {
		text += fmt.Sprintf(" (%s only in newer releases)", report.Count(c.added, "default"))
	}
	return text
}
