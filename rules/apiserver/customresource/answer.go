package customresource

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
	"github.com/kubevet/kubevet/rules/apiserver/kindwarning"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Answer returns a server's answer to the creation or update of a custom
// resource. d is the server's definition. The answer is empty if d is not for the
// object's group and kind, or if d is partial and lacks the object's version.
//
// Answer does not evaluate two kinds of CEL rules, and assumes that the object
// satisfies them: rules with which the server would refuse the definition, and rules
// that are too expensive to evaluate here. Answer.Unknown names the expensive rules.
// If a schema is larger than any real schema, only the version is checked.
//
// The errors and warnings are in the server's order: the version's deprecation,
// decoding, duplicate owner references, validation, and the strategy's warnings.
// The answer ends after decoding if the version is not served, and after
// validation if the object is invalid.
func Answer(s apiserver.Server, d *Definition, r apiserver.Request) apiserver.Answer {
	a, version := answerByVersion(s, d, r)
	if version == nil {
		return a
	}
	schema := version.Schema()
	if version.schemaAt != nil && schema == nil {
		return a
	}
	strict, refusal := decode(s, d, schema, r)
	if refusal != nil {
		a.Causes = []apiserver.Cause{*refusal}
		return a
	}
	a.Warnings = append(a.Warnings, strict...)
	a.Warnings = append(a.Warnings, kindwarning.OwnerReferences(s, r)...)
	rules := causes(s, d, version, schema, r)
	a.Causes, a.Unknown = rules.Causes, rules.Unknown
	if a.Warnings = append(a.Warnings, rules.Warnings...); len(a.Causes) == 0 {
		a.Warnings = append(a.Warnings, finalizerWarnings(s.Minor, r)...)
	}
	return a
}

// answerByVersion returns the part of the answer that depends only on the
// version. It also returns the version, or nil if the answer is complete.
func answerByVersion(s apiserver.Server, d *Definition, r apiserver.Request) (apiserver.Answer, *Version) {
	group, name := SplitGroupVersion(r.APIVersion)
	if d == nil || r.New == nil || r.New.Kind != wire.Map || group != d.Group || r.Kind != d.Kind {
		return apiserver.Answer{}, nil
	}
	version := d.Version(name)
	if version == nil && d.Partial {
		return apiserver.Answer{}, nil
	}
	if version == nil || !version.Served {
		return apiserver.Answer{Causes: []apiserver.Cause{{
			Text: NotServed, Code: http.StatusNotFound, At: r.New.Get("apiVersion"),
		}}}, nil
	}
	var a apiserver.Answer
	if text := d.Warning(s.Minor, name); text != "" {
		a.Warnings = append(a.Warnings, apiserver.Warning{Text: text, At: r.New.Get("apiVersion"), Class: apiserver.DeprecatedAPI})
	}
	return a, version
}

// NotServed is the text of a server that serves nothing of a group and version.
// kubectl prints "no matches for kind" instead of sending such a request.
const NotServed = "404 page not found"

// NoResource is the text of a server that serves only other kinds of the group
// and version.
const NoResource = "the server could not find the requested resource"

// NoMatch returns kubectl's error for an object whose version is not served.
func NoMatch(apiVersion, kind string) string {
	return "no matches for kind " + strconv.Quote(kind) + " in version " + strconv.Quote(apiVersion)
}

// hasRules reports whether a server evaluates CEL rules in schemas. Other servers
// drop them.
func hasRules(s apiserver.Server) bool {
	return s.Minor >= 23 && s.Enabled("CustomResourceValidationExpressions")
}

// decode returns the warnings about unknown and repeated fields. If the metadata
// do not decode, it returns the server's error. Source: schemaCoercingDecoder and
// unstructuredSchemaCoercer in customresource_handler.go.
func decode(s apiserver.Server, d *Definition, schema *Schema, r apiserver.Request) ([]apiserver.Warning, *apiserver.Cause) {
	refuse := func(text string, at *wire.Value) *apiserver.Cause {
		// As in transformDecodeError of apiserver/pkg/endpoints/handlers/rest.go.
		_, version := SplitGroupVersion(r.APIVersion)
		return &apiserver.Cause{
			Text: r.Kind + " in version " + strconv.Quote(version) + " cannot be handled as a " + r.Kind + ": " + text,
			Code: http.StatusBadRequest, At: at,
		}
	}
	undecoded := func(text string, at, meta *wire.Value) *apiserver.Cause {
		c := refuse(text, at)
		c.Fits = gotype.FitsMetadata(s.Minor, meta, at)
		return c
	}
	meta := r.New.Get("metadata")
	unknown, problem, at := decodeMeta(meta, "metadata")
	if problem != "" {
		return nil, undecoded(problem, at, meta)
	}
	report := r.Validation != apiserver.Ignore && s.Minor >= 25 && s.Enabled("ServerSideFieldValidation")
	if !d.PreserveUnknownFields && report {
		unknown = append(unknown, unknownFields(r.New, schema)...)
	}
	e := embedder{minor: s.Minor}
	e.value(nil, r.New, schema)
	if e.problem != "" {
		return nil, undecoded(e.problemPath+": "+e.problem, e.at, e.meta)
	}
	if !report {
		return nil, nil
	}
	slices.SortStableFunc(e.unknown, func(a, b unknownField) int { return strings.Compare(a.path, b.path) })
	unknown = append(unknown, e.unknown...)

	var warnings []apiserver.Warning
	seen := map[string]bool{}
	for _, dup := range r.Duplicates {
		const maxStrictErrors = 100 // as in sigs.k8s.io/json
		path := duplicatePath(dup.Path)
		if text := strictText("duplicate field", path); !seen[text] && len(seen) < maxStrictErrors {
			seen[text] = true
			warnings = append(warnings, apiserver.Warning{
				Field: path, Text: text, Class: apiserver.UnknownField,
				At: &wire.Value{Pos: dup.Pos, End: dup.End},
			})
		}
	}
	for _, f := range unknown {
		warnings = append(warnings, apiserver.Warning{Field: f.path, Text: `unknown field "` + f.path + `"`, At: f.at, Class: apiserver.UnknownField})
	}
	if len(warnings) > 0 && r.Validation == apiserver.Strict {
		texts := make([]string, len(warnings))
		for i, w := range warnings {
			texts[i] = w.Text
		}
		return nil, refuse("strict decoding error: "+strings.Join(texts, ", "), warnings[0].At)
	}
	return warnings, nil
}

// causes returns the errors of validation, and warnings about CEL rules that the
// new object and the stored object both violate. Source: Validate and
// ValidateUpdate in pkg/registry/customresource/strategy.go, and
// rest.BeforeCreate before them.
func causes(s apiserver.Server, d *Definition, version *Version, schema *Schema, r apiserver.Request) apiserver.Answer {
	n := normalizer{prune: !d.PreserveUnknownFields, pruneNulls: s.Minor >= 20 && !d.PreserveUnknownFields, remaining: maxDefaulted}
	obj := n.object(r.New, schema, true)
	var old *wire.Value
	if r.Old != nil && r.Old.Kind == wire.Map {
		old = n.object(r.Old, schema, true)
	}
	if version.Status {
		obj = withStatus(obj, old)
	}
	rep := report{minor: s.Minor}
	for _, c := range validation.ObjectMeta(s, r, d.Namespaced, nil) {
		rep.causes = append(rep.causes, c)
		rep.blocking = rep.blocking || strings.HasPrefix(c.Text, errRequired) || strings.HasPrefix(c.Text, errTooLong)
	}
	ratchet := old != nil && s.Minor >= 28 && s.Enabled("CRDValidationRatcheting")
	rep.schemaCauses("", obj, schema, old, validator{ratchet: ratchet})
	rep.scale(version.Scale, obj)
	rep.embedded("", obj, schema)
	if old == nil || len(listCauses(s.Minor, old, schema)) == 0 {
		rep.causes = append(rep.causes, listCauses(s.Minor, obj, schema)...)
	}
	switch {
	case !schema.HasRules() || !hasRules(s):
	case rep.blocking:
		if version.refusesRules(s) {
			break // the server refused the definition, so it does not serve the resource
		}
		rep.invalid("", nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation", r.New.Get("kind"))
	default:
		w := newRuleWalk(s, r.New)
		w.ratchet = ratchet && s.Minor >= 29
		before := ruleValue{}
		if old != nil {
			before = plain(old)
		}
		w.value(nil, plain(obj), schema, before, correlated{}, true)
		if len(w.causes)+len(w.warnings) > 0 && version.refusesRules(s) {
			break
		}
		a := apiserver.Answer{Causes: append(rep.causes, w.causes...), Warnings: w.warnings}
		if w.unknown != "" {
			a.Unknown = []string{"rules of " + d.Plural + "." + d.Group + ": " + w.unknown}
		}
		return a
	}
	return apiserver.Answer{Causes: rep.causes}
}

// Admitted returns a request with the objects as admission plugins see them:
// without unknown fields, and with the defaults of the schema. ok is false if the
// server does not serve the version or does not decode the object.
func Admitted(s apiserver.Server, d *Definition, r apiserver.Request) (seen apiserver.Request, ok bool) {
	_, version := answerByVersion(s, d, r)
	if version == nil {
		return r, false
	}
	schema := version.Schema()
	if version.schemaAt != nil && schema == nil {
		return r, false
	}
	if _, refusal := decode(s, d, schema, r); refusal != nil {
		return r, false
	}
	n := normalizer{prune: !d.PreserveUnknownFields, pruneNulls: s.Minor >= 20 && !d.PreserveUnknownFields, remaining: maxDefaulted}
	r.New, r.Body, r.Duplicates = n.object(r.New, schema, true), nil, nil
	if r.Old != nil && r.Old.Kind == wire.Map {
		r.Old = n.object(r.Old, schema, true)
	}
	if version.Status {
		r.New = withStatus(r.New, r.Old)
	}
	return r, true
}

// withStatus returns the object with the status of the stored object. Use it for
// versions with a status subresource: only requests for the subresource change
// their status.
func withStatus(obj, old *wire.Value) *wire.Value {
	stored := old.Field("status")
	if stored == nil && obj.Field("status") == nil {
		return obj
	}
	clone := *obj
	clone.Fields = slices.DeleteFunc(slices.Clone(obj.Fields), func(f wire.Field) bool { return f.Name == "status" })
	if stored != nil {
		clone.Fields = append(clone.Fields, *stored)
	}
	return &clone
}

// finalizerWarnings returns the warnings about names of finalizers. Source:
// WarningsOnCreate and WarningsOnUpdate in pkg/registry/customresource
// (1.29–1.37).
func finalizerWarnings(m lifecycle.Minor, r apiserver.Request) []apiserver.Warning {
	if m < 29 {
		return nil
	}
	list := r.New.At("metadata", "finalizers")
	if list == nil || list.Kind != wire.List {
		return nil
	}
	had := stringSet(r.Old.At("metadata", "finalizers"))
	at := map[string]*wire.Value{}
	var names []string
	for _, item := range list.Items {
		name := item.StringOr("")
		if at[name] == nil && !had[name] {
			at[name] = item
			names = append(names, name)
		}
	}
	slices.Sort(names)
	const path = "metadata.finalizers"
	var warnings []apiserver.Warning
	for _, name := range names {
		prefix := path + ": " + strconv.Quote(name) + ": "
		for _, message := range validation.QualifiedName(m, name) {
			warnings = append(warnings, apiserver.Warning{Field: path, Text: prefix + message, At: at[name]})
		}
		switch {
		case strings.Contains(name, "/"), name == "orphan", name == "foregroundDeletion", name == "kubernetes":
			continue
		case strings.Contains(name, ".") && m >= 32:
			prefix += "prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers"
		default:
			prefix += "prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"
		}
		warnings = append(warnings, apiserver.Warning{Field: path, Text: prefix, At: at[name]})
	}
	return warnings
}

func stringSet(list *wire.Value) map[string]bool {
	if list == nil || list.Kind != wire.List {
		return nil
	}
	set := make(map[string]bool, len(list.Items))
	for _, item := range list.Items {
		set[item.StringOr("")] = true
	}
	return set
}
