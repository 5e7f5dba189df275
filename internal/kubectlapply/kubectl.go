// Package kubectlapply prints the output of `kubectl apply --dry-run=server` for the
// linted objects.
package kubectlapply

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Apply reports what kubectl apply --dry-run=server does with each object. It follows
// k8s.io/kubectl/pkg/cmd/apply and k8s.io/cli-runtime/pkg/resource/visitor.go of 1.32 to
// 1.37. It assumes the namespace default and a single server.
type Apply struct {
	// Target is the minor of the server, a single minor. Validation is the handling of
	// unknown fields that kubectl requests.
	Target     lifecycle.Target
	Validation apiserver.FieldValidation
	Set        *checks.Set
	Reports    []report.Applier
	// ended is the input in which kubectl stopped reading, or nil.
	ended *manifestlint.Input
	// lists counts the lists that have an item that is not an object. listInput and
	// listDocument identify the last of these lists.
	lists        int
	listInput    *manifestlint.Input
	listDocument int
}

// Each is the function for manifestlint.Options.Each. The returned function is called
// later, in the order of the input.
func (k *Apply) Each(e manifestlint.Event) func(manifestlint.Event) error {
	switch {
	case e.Err != nil:
		return k.unread(unreadText(e.Err), true)
	case e.NotJudged != nil:
		text, ends := k.document(sourceName(e.Input.Name), e.NotJudged, e.Text)
		if text == "" {
			return nil
		}
		return k.unread(text, ends)
	case e.Object.Embedded != "":
		return nil
	}
	return k.object(sourceName(e.Input.Name), e.Object)
}

// stdinName is kubevet's name of standard input. kubectl prints STDIN instead.
const stdinName = "-"

// sourceName returns kubectl's name of an input.
func sourceName(name string) string {
	if name == stdinName {
		return "STDIN"
	}
	return name
}

// unreadText returns the text that kubectl prints for an error about reading a file.
func unreadText(err error) string {
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return err.Error()
}

// unread returns a function that reports an error about an input. If ends is true,
// kubectl does not read the rest of the input.
func (k *Apply) unread(text string, ends bool) func(manifestlint.Event) error {
	return func(e manifestlint.Event) error {
		if k.ended == e.Input {
			return nil
		}
		if ends {
			k.ended = e.Input
		}
		for _, r := range k.Reports {
			r.Unread(text, 0)
		}
		return nil
	}
}

// unreadItem returns a function that reports an error about an item of a list that is not
// an object.
func (k *Apply) unreadItem(text string) func(manifestlint.Event) error {
	return func(e manifestlint.Event) error {
		if k.ended == e.Input {
			return nil
		}
		if k.listInput != e.Input || k.listDocument != e.Document {
			k.listInput, k.listDocument = e.Input, e.Document
			k.lists++
		}
		for _, r := range k.Reports {
			r.Unread(text, k.lists)
		}
		return nil
	}
}

// object returns a function that reports the result for an object.
func (k *Apply) object(name string, o *manifestlint.Object) func(manifestlint.Event) error {
	minor := k.Target.To
	served, ok := k.Set.Resource(k.Target, minor, o)
	if !ok {
		if o.Listed {
			return k.unreadItem(fmt.Sprintf("unable to recognize no matches for kind %q in version %q", o.Kind, o.APIVersion))
		}
		return k.unread(noMapping(name, ownName(o), o.Namespace, o.APIVersion, o.Kind), false)
	}
	where := place{source: name, object: o, resource: served}
	if where.namespace = ""; served.Namespaced {
		where.namespace = cmp.Or(o.Namespace, "default")
	}
	a := k.Set.Answer(k.Target, minor, withLastApplied(o, where.namespace), k.Validation)
	if len(a.Causes) > 0 {
		if text, ok := clientDecoding(a.Causes[0]); ok {
			return k.unread(fmt.Sprintf("unable to decode %q: %s", name, text), false)
		}
	}
	if ownName(o) == "" {
		return k.reportResult(nil, "", plainRefusal(where.nameless()))
	}
	if o.Old != nil && sameValue(o.Old, o.Root) {
		// kubectl has nothing to send. So the only warning is in the answer to its first
		// request, and is about the API.
		var warnings []apiserver.Warning
		for _, w := range a.Warnings {
			if w.Class == apiserver.DeprecatedAPI {
				warnings = append(warnings, w)
			}
		}
		return k.reportResult(warnings, where.label()+" unchanged", nil)
	}
	if len(a.Causes) > 0 {
		return k.reportResult(a.Warnings, "", where.refusal(a.Causes))
	}
	did := " created"
	if o.Old != nil {
		did = " configured"
	}
	return k.reportResult(a.Warnings, where.label()+did, nil)
}

// ownName returns the name of an object, or "" if the server generates the name.
func ownName(o *manifestlint.Object) string {
	if strings.HasSuffix(o.Name, "*") {
		return ""
	}
	return o.Name
}

// place is an object with the place from which kubectl read it.
type place struct {
	source    string
	object    *manifestlint.Object
	resource  checks.Resource
	namespace string
}

// groupVersion returns the group and version of the object.
func (p place) groupVersion() (group, version string) {
	group, version, ok := strings.Cut(p.object.APIVersion, "/")
	if !ok {
		group, version = "", group
	}
	return group, version
}

// label returns the name of the object as kubectl prints it
// (cli-runtime/pkg/printers/name.go).
func (p place) label() string {
	group, _ := p.groupVersion()
	kind := strings.ToLower(p.object.Kind)
	if group != "" {
		kind += "." + group
	}
	return kind + "/" + p.object.Name
}

// info returns kubectl's description of the object in two lines (cli-runtime,
// Info.String).
func (p place) info() string {
	group, version := p.groupVersion()
	return fmt.Sprintf("Resource: %q, GroupVersionKind: %q\nName: %q, Namespace: %q",
		group+"/"+version+", Resource="+p.resource.Plural, group+"/"+version+", Kind="+p.object.Kind, ownName(p.object), p.namespace)
}

// sameValue reports whether two values are equal as JSON, in any order of fields.
func sameValue(a, b *wire.Value) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Fields) != len(b.Fields) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		if !sameValue(a.Items[i], b.Items[i]) {
			return false
		}
	}
	if len(a.Fields) == 0 {
		return true
	}
	// If a large map has its fields in another order, an index makes the search faster.
	var index map[string]*wire.Value
	for i := range a.Fields {
		name := a.Fields[i].Name
		if b.Fields[i].Name == name {
			if !sameValue(a.Fields[i].Value, b.Fields[i].Value) {
				return false
			}
			continue
		}
		if index == nil {
			index = make(map[string]*wire.Value, len(b.Fields))
			for j := range b.Fields {
				index[b.Fields[j].Name] = b.Fields[j].Value
			}
		}
		other, ok := index[name]
		if !ok || !sameValue(a.Fields[i].Value, other) {
			return false
		}
	}
	return true
}
