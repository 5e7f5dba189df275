// Package kubectlapply prints the output of `kubectl apply --dry-run=server` for the
// linted objects.
package kubectlapply

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
	yamlv2 "go.yaml.in/yaml/v2"
)

// Apply reports what kubectl apply --dry-run=server does with each object. It follows
// k8s.io/kubectl/pkg/cmd/apply and k8s.io/cli-runtime/pkg/resource/visitor.go of 1.32 to
// 1.37. It assumes the namespace default and a single server.
type Apply struct {
	// Target is the minor of the server. It must be a single minor. Validation is the
	// handling of unknown fields that kubectl requests.
	Target     lifecycle.Target
	Validation apiserver.FieldValidation
	Set        *checks.Set
	Reports    []report.Applier
	// ended is the input in which kubectl stopped reading, or nil.
	ended *manifestlint.Input
	// lists is the number of lists so far in which an item is not an object. listInput
	// and listDocument identify the last of these lists.
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

// stdinName is the name of standard input. kubectl prints STDIN for it.
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

// unread returns a function that reports a text that is not an object. If ends is true,
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

// unreadItem returns a function that reports an item of a list that is not an object.
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

// document returns the error that kubectl prints for a document that is not an object.
// message is "" if kubectl accepts the document. ends is true if kubectl does not read
// the rest of the input.
func (k *Apply) document(name string, n *rules.NotJudged, text []byte) (message string, ends bool) {
	switch n.Reason {
	case rules.SkipEmpty, rules.SkipPatch, rules.SkipRendered:
		return "", false
	case rules.SkipTooLarge:
		return fmt.Sprintf("error parsing %s: a document is larger than --max-document-size", name), true
	}
	first := n.Document == 0
	var value any
	err := yamlv2.Unmarshal(asRead(text, first), &value)
	if err == nil {
		value, err = jsonValue(value)
	}
	if err == nil {
		return k.unknown(name, n.Reason, value)
	}
	if first && bytes.HasPrefix(bytes.TrimSpace(text), []byte{'{'}) {
		// If the text may be JSON, kubectl prints the error of the JSON parser.
		if failed := json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage)); failed != nil {
			var syntax *json.SyntaxError
			if errors.As(failed, &syntax) {
				failed = fmt.Errorf("json: offset %d: %w", syntax.Offset, syntax)
			}
			return fmt.Sprintf("error parsing %s: %v", name, failed), true
		}
	}
	return fmt.Sprintf("error parsing %s: error converting YAML to JSON: %v", name, err), true
}

// asRead returns the part of a text that kubectl parses (apimachinery, YAMLReader). It
// begins after the separator line. Only at the start of an input, the separator line is a
// part of the document.
func asRead(text []byte, first bool) []byte {
	for rest := text; ; {
		line, after, ok := bytes.Cut(rest, []byte{'\n'})
		switch {
		case !ok:
			return text
		case bytes.HasPrefix(line, []byte("---")):
			if first && len(rest) == len(text) {
				return text
			}
			return after
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '#':
			return text
		}
		rest = after
	}
}

// jsonValue converts a value from YAML to a value that can be written as JSON. It returns
// the same errors as sigs.k8s.io/yaml.
func jsonValue(v any) (any, error) {
	switch v := v.(type) {
	case map[any]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			switch key.(type) {
			case string, int, int64, uint64, float64, bool:
			default:
				return nil, fmt.Errorf("yaml: invalid map key: %#v", key)
			}
			var err error
			if m[fmt.Sprint(key)], err = jsonValue(value); err != nil {
				return nil, err
			}
		}
		return m, nil
	case []any:
		for i := range v {
			var err error
			if v[i], err = jsonValue(v[i]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// unknown returns the error that kubectl prints for a value that is not an object.
// message is "" if kubectl accepts the value.
func (k *Apply) unknown(name, reason string, v any) (message string, ends bool) {
	m, isMap := v.(map[string]any)
	apiVersion, _ := m["apiVersion"].(string)
	kind, _ := m["kind"].(string)
	if apiVersion != "" && kind != "" {
		if reason != rules.SkipNotKubernetes { // otherwise the document configures a program, such as kustomize
			return "", false
		}
		meta, _ := m["metadata"].(map[string]any)
		own, _ := meta["name"].(string)
		namespace, _ := meta["namespace"].(string)
		return noMapping(name, own, namespace, apiVersion, kind), false
	}
	if v == nil {
		return "", false
	}
	if k.Validation == apiserver.Ignore {
		body, err := json.Marshal(v)
		if err != nil {
			return "", false
		}
		if kind == "" {
			return fmt.Sprintf("unable to decode %q: Object 'Kind' is missing in '%s'", name, body), false
		}
		return fmt.Sprintf("unable to decode %q: Object 'apiVersion' is missing in '%s'", name, body), false
	}
	why := "invalid object to validate"
	switch {
	case isMap && apiVersion == "" && kind == "":
		why = "[apiVersion not set, kind not set]"
	case isMap && apiVersion == "":
		why = "apiVersion not set"
	case isMap:
		why = "kind not set"
	}
	return fmt.Sprintf("error validating %q: error validating data: %s; if you choose to ignore these errors, turn validation off with --validate=false", name, why), true
}

func noMapping(source, name, namespace, apiVersion, kind string) string {
	return fmt.Sprintf("resource mapping not found for name: %q namespace: %q from %q: no matches for kind %q in version %q\nensure CRDs are installed first", name, namespace, source, kind, apiVersion)
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
	a := k.Set.Answer(k.Target, minor, applied(o, where.namespace), k.Validation)
	if len(a.Causes) > 0 {
		if text, ok := clientDecoding(a.Causes[0]); ok {
			return k.unread(fmt.Sprintf("unable to decode %q: %s", name, text), false)
		}
	}
	if ownName(o) == "" {
		return k.tell(nil, "", plainRefusal(where.nameless()))
	}
	if o.Old != nil && sameValue(o.Old, o.Root) {
		// kubectl has nothing to send. So the only warning is in the answer to its first
		// request, and it is about the API.
		var warnings []apiserver.Warning
		for _, w := range a.Warnings {
			if w.Class == apiserver.DeprecatedAPI {
				warnings = append(warnings, w)
			}
		}
		return k.tell(warnings, where.label()+" unchanged", nil)
	}
	if len(a.Causes) > 0 {
		return k.tell(a.Warnings, "", where.refusal(a.Causes))
	}
	did := " created"
	if o.Old != nil {
		did = " configured"
	}
	return k.tell(a.Warnings, where.label()+did, nil)
}

// ownName returns the name of an object. It returns "" if the server generates the name.
func ownName(o *manifestlint.Object) string {
	if strings.HasSuffix(o.Name, "*") {
		return ""
	}
	return o.Name
}

// refusal is an error in two forms of kubectl. alone is the text if it is the only error.
// among is the text if there are further errors.
type refusal struct{ alone, among string }

func plainRefusal(text string) *refusal { return &refusal{"error: " + text, text} }

func (k *Apply) tell(warnings []apiserver.Warning, done string, refused *refusal) func(manifestlint.Event) error {
	return func(e manifestlint.Event) error {
		if k.ended == e.Input {
			return nil
		}
		for _, r := range k.Reports {
			for _, w := range warnings {
				if err := r.Warning(w.Text); err != nil {
					return err
				}
			}
			if refused != nil {
				r.Refused(refused.alone, refused.among)
			} else if err := r.Applied(done); err != nil {
				return err
			}
		}
		return nil
	}
}

// clientDecoding returns the text of an error about metadata. kubectl decodes metadata
// before it sends anything (cli-runtime, metadata_decoder.go). It returns false for other
// errors.
func clientDecoding(c apiserver.Cause) (string, bool) {
	at := strings.Index(c.Text, "json: cannot unmarshal ")
	if c.Code != http.StatusBadRequest || at < 0 || !strings.Contains(c.Text[at:], " into Go struct field ObjectMeta.metadata") {
		return "", false
	}
	return c.Text[at:], true
}

// place is an object together with the place from which kubectl read it.
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

// info returns the description of the object in two lines as kubectl prints it
// (cli-runtime, Info.String).
func (p place) info() string {
	group, version := p.groupVersion()
	return fmt.Sprintf("Resource: %q, GroupVersionKind: %q\nName: %q, Namespace: %q",
		group+"/"+version+", Resource="+p.resource.Plural, group+"/"+version+", Kind="+p.object.Kind, ownName(p.object), p.namespace)
}

// nameless returns the error for an object without a name.
func (p place) nameless() string {
	if generate, ok := strings.CutSuffix(p.object.Name, "*"); ok {
		return fmt.Sprintf("from %s: cannot use generate name with apply", generate)
	}
	return fmt.Sprintf("error when retrieving current configuration of:\n%s\nfrom server for: %q: resource name may not be empty", p.info(), p.source)
}

// refusal returns the text that kubectl prints for the errors of the server.
func (p place) refusal(causes []apiserver.Cause) *refusal {
	doing := fmt.Sprintf("error when creating %q", p.source)
	if p.object.Old != nil {
		// kubectl computes the patch from three states of the object. One of them is
		// unknown here, so "…" replaces the patch.
		doing = fmt.Sprintf("error when applying patch:\n…\nto:\n%s\nfor: %q: error when patching %q", p.info(), p.source, p.source)
		if _, strict, ok := strings.Cut(causes[0].Text, "strict decoding error: "); ok && causes[0].Code == http.StatusBadRequest {
			// See endpoints/handlers/patch.go.
			text := "patch: Invalid value: \"…\": strict decoding error: " + strict
			return &refusal{"The request is invalid: " + text, "Error from server (Invalid): " + doing + ":  \"\" is invalid: " + text}
		}
	}
	if denial := causes[0].Policy; denial != nil {
		text := fmt.Sprintf("Error from server (%s): %s: %s", denial.Reason, doing, denial.Message)
		if denial.Reason != "Invalid" {
			return &refusal{text, text}
		}
		// The status of the server has the resource, and a cause without a field.
		return &refusal{fmt.Sprintf("The %s %q is invalid: : %s", p.resource.Plural, ownName(p.object), causes[0].Text), text}
	}
	if causes[0].Code != http.StatusUnprocessableEntity {
		text := "Error from server"
		if reason := reasonOf(causes[0].Code); reason != "" {
			text += " (" + reason + ")"
		}
		text += ": " + doing + ": " + causes[0].Text
		return &refusal{text, text}
	}
	group, _ := p.groupVersion()
	qualified := p.object.Kind
	if group != "" {
		qualified += "." + group
	}
	var once []string
	seen := map[string]bool{}
	for _, c := range causes {
		if text := c.Field + ": " + c.Text; !seen[text] {
			seen[text] = true
			once = append(once, text)
		}
	}
	alone := fmt.Sprintf("The %s %q is invalid: ", p.object.Kind, ownName(p.object))
	all := once[0]
	if len(once) == 1 {
		alone += once[0]
	} else {
		all = "[" + strings.Join(once, ", ") + "]"
		alone += "\n* " + strings.Join(once, "\n* ")
	}
	return &refusal{alone, fmt.Sprintf("Error from server (Invalid): %s: %s %q is invalid: %s", doing, qualified, ownName(p.object), all)}
}

// reasonOf returns the reason in a status for a status code
// (apimachinery/pkg/api/errors).
func reasonOf(code int) string {
	switch code {
	case http.StatusBadRequest:
		return "BadRequest"
	case http.StatusForbidden:
		return "Forbidden"
	case http.StatusNotFound:
		return "NotFound"
	case http.StatusMethodNotAllowed:
		return "MethodNotAllowed"
	case http.StatusConflict:
		return "Conflict"
	case http.StatusRequestEntityTooLarge:
		return "RequestEntityTooLarge"
	case http.StatusInternalServerError:
		return "InternalError"
	}
	return ""
}

// sameValue reports whether two values are equal as JSON. The order of fields does not
// matter.
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
