package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/internal/scene"
)

const admission = "admissionregistration.k8s.io/"

// policy is an admission policy with its bindings. It is a MutatingAdmissionPolicy if
// Apply, Patch or the mutations in Spec are set.
type policy struct {
	Name string `json:"name"`
	// Rules has resource rules in the form GROUP/VERSION/RESOURCE OPERATION,OPERATION.
	// The core group is empty.
	Rules []string `json:"rules"`
	// Labels has the labels of the objects that match.
	Labels map[string]string `json:"labels"`
	// Deny has the expressions of validations that have no message.
	Deny []string `json:"deny"`
	// Show is an expression whose value is the message of a refusal.
	Show string `json:"show"`
	// Apply and Patch have the expressions of mutations of the types ApplyConfiguration
	// and JSONPatch.
	Apply []string `json:"apply"`
	Patch []string `json:"patch"`
	// Spec is merged into the spec that the other fields define.
	Spec object `json:"spec"`
	// Bindings are merged into the default spec {policyName, validationActions: [Deny]}.
	// Each may have a name. The default is one binding without changes.
	Bindings []object `json:"bindings"`
	// Actions has the validationActions of the default binding.
	Actions []string `json:"actions"`
}

// probe is a policy and one request to which it applies.
type probe struct {
	ID string `json:"id"`
	policy
	Op     scene.Op `json:"op"`
	Old    object   `json:"old"`
	Obj    object   `json:"obj"`
	User   string   `json:"user"`
	Groups []string `json:"groups"`
}

// expand returns the scene of a document. For a document with mutating policies, it
// returns one scene for each version of MutatingAdmissionPolicy.
func (b bases) expand(d document) ([]scene.Scene, error) {
	if !d.Mutating {
		s, err := b.scene(d, "v1")
		return []scene.Scene{s}, err
	}
	old, stable := d, d
	old.ID, old.Gates, old.From, old.To = d.ID+"/v1alpha1", "mutating", "1.33", "1.33"
	if stable.From == "" {
		stable.From = "1.37"
	}
	s, err := b.scene(stable, "v1")
	if err != nil || d.From == "1.37" {
		return []scene.Scene{s}, err
	}
	before, err := b.scene(old, "v1alpha1")
	return []scene.Scene{before, s}, err
}

func (b bases) scene(d document, mutating string) (s scene.Scene, err error) {
	s = scene.Scene{ID: d.ID, From: d.From, To: d.To, Gates: d.Gates}
	encode := func(obj object) json.RawMessage {
		built, buildErr := b.built(obj)
		data, encodeErr := json.Marshal(built)
		err = errors.Join(err, buildErr, encodeErr)
		text := strings.ReplaceAll(string(data), "$MUTATING", mutating)
		return json.RawMessage(text)
	}
	for _, obj := range d.Before {
		s.Before = append(s.Before, encode(obj))
	}
	for _, obj := range d.Context {
		s.Context = append(s.Context, encode(obj))
	}
	for _, p := range d.Policies {
		for _, obj := range p.objects() {
			s.Context = append(s.Context, encode(obj))
		}
	}
	for _, p := range d.Probes {
		r := request{Request: scene.Request{ID: p.ID, Op: p.Op, User: p.User, Groups: p.Groups}, Obj: p.Obj, Old: p.Old}
		if r.Obj == nil {
			r.Obj = object{"$base": "configmap"}
		}
		if p.Name == "" {
			p.Name = "probe-" + p.ID
		}
		if p.Rules == nil {
			p.Rules = []string{"/v1/configmaps CREATE,UPDATE"}
		}
		if p.Labels == nil {
			p.Labels = map[string]string{"probe": p.ID}
			label := object{"metadata": object{"labels": object{"probe": p.ID}}}
			r.Obj = merge(r.Obj, label).(object)
		}
		for _, obj := range p.objects() {
			s.Context = append(s.Context, encode(obj))
		}
		d.Requests = append(d.Requests, r)
	}
	seen := map[string]bool{}
	for _, r := range d.Requests {
		if r.ID == "" || seen[r.ID] {
			return s, fmt.Errorf("a request has no ID of its own: %q", r.ID)
		}
		seen[r.ID] = true
		if r.Old != nil {
			r.Request.Old = encode(r.Old)
			// An update keeps the fields that it does not name.
			if r.Obj["$base"] == nil && r.Obj["apiVersion"] == nil {
				built, err := b.built(r.Old)
				if err != nil {
					return s, err
				}
				r.Obj = merge(built, r.Obj).(object)
			}
			if r.Op == "" {
				r.Op = scene.Update
			}
		}
		if r.Op == "" {
			r.Op = scene.Create
		}
		r.Request.Obj = encode(r.Obj)
		s.Requests = append(s.Requests, r.Request)
	}
	return s, err
}

// objects returns the policy and its bindings.
func (p *policy) objects() []object {
	version, kind := admission+"v1", "ValidatingAdmissionPolicy"
	constraints := object{}
	if p.Rules != nil {
		constraints["resourceRules"] = rules(p.Rules)
	}
	if p.Labels != nil {
		labels := object{}
		for name, value := range p.Labels {
			labels[name] = value
		}
		constraints["objectSelector"] = object{"matchLabels": labels}
	}
	spec := object{"matchConstraints": constraints}
	binding := object{"policyName": p.Name}
	mutations := p.mutations()
	if mutations != nil || p.Spec["mutations"] != nil {
		version, kind = admission+"$MUTATING", "MutatingAdmissionPolicy"
		spec["reinvocationPolicy"] = "Never"
		if mutations != nil {
			spec["mutations"] = mutations
		}
	} else {
		binding["validationActions"] = []any{"Deny"}
		if p.Actions != nil {
			binding["validationActions"] = p.Actions
		}
		var validations []any
		for _, expression := range p.Deny {
			validations = append(validations, object{"expression": expression})
		}
		if p.Show != "" {
			validations = append(validations, object{"expression": "false", "messageExpression": p.Show})
		}
		if validations != nil {
			spec["validations"] = validations
		}
	}
	spec = merge(spec, p.Spec).(object)
	objects := []object{{"apiVersion": version, "kind": kind, "metadata": object{"name": p.Name}, "spec": spec}}
	bindings := p.Bindings
	if bindings == nil {
		bindings = []object{{}}
	}
	for i, b := range bindings {
		name, ok := b["name"].(string)
		if !ok {
			name = p.Name
			if i > 0 {
				name = fmt.Sprint(p.Name, "-", i)
			}
		}
		merged := merge(binding, b).(object)
		delete(merged, "name")
		objects = append(objects, object{"apiVersion": version, "kind": kind + "Binding", "metadata": object{"name": name}, "spec": merged})
	}
	return objects
}

func (p *policy) mutations() []any {
	var mutations []any
	for _, expression := range p.Apply {
		mutations = append(mutations, object{"patchType": "ApplyConfiguration", "applyConfiguration": object{"expression": expression}})
	}
	for _, expression := range p.Patch {
		mutations = append(mutations, object{"patchType": "JSONPatch", "jsonPatch": object{"expression": expression}})
	}
	return mutations
}

func rules(texts []string) []any {
	var all []any
	for _, text := range texts {
		what, operations, _ := strings.Cut(text, " ")
		parts := strings.SplitN(what, "/", 3)
		for len(parts) < 3 {
			parts = append(parts, "")
		}
		all = append(all, object{
			"apiGroups": []any{parts[0]}, "apiVersions": []any{parts[1]}, "resources": []any{parts[2]},
			"operations": strings.Split(operations, ","),
		})
	}
	return all
}
