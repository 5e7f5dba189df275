package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle"
)

// canaries returns policies that are created after the policies of a scene. They match
// only Leases with a label. If the server applies the canaries, it also applies the
// scene's policies, which were created before.
func (at *stage) canaries() []json.RawMessage {
	name := fmt.Sprint("canary-", at.scenes)
	constraints := at.leases()
	metadata := fmt.Sprintf(`{"name":%q}`, name)
	objects := []string{
		`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":` + metadata + `,"spec":{"failurePolicy":"Ignore","matchConstraints":` + constraints + `,"validations":[{"expression":"false","message":"canary"}]}}`,
		`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":` + metadata + `,"spec":{"policyName":"` + name + `","validationActions":["Warn"]}}`,
	}
	if at.mutates != "" {
		version := admission + at.mutates
		objects = append(objects,
			`{"apiVersion":"`+version+`","kind":"MutatingAdmissionPolicy","metadata":`+metadata+`,"spec":{"failurePolicy":"Ignore","reinvocationPolicy":"Never","matchConstraints":`+constraints+`,"mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op: \"add\", path: \"/spec/holderIdentity\", value: \"canary\"}]"}}]}}`,
			`{"apiVersion":"`+version+`","kind":"MutatingAdmissionPolicyBinding","metadata":`+metadata+`,"spec":{"policyName":"`+name+`"}}`)
	}
	var raw []json.RawMessage
	for _, obj := range objects {
		raw = append(raw, json.RawMessage(obj))
	}
	return raw
}

// canary waits until the server applies the canaries or, if applied is false, no longer
// applies them.
func (at *stage) canary(ctx context.Context, applied bool) error {
	lease := fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"canary","namespace":"kube-system","labels":{"oracle-canary":"canary-%d"}},"spec":{"holderIdentity":"nobody"}}`, at.scenes)
	deadline := time.Now().Add(90 * time.Second)
	for {
		a, body, err := at.Answer(ctx, &oracle.Case{Obj: json.RawMessage(lease)})
		if err != nil {
			return err
		}
		warned := slices.ContainsFunc(a.Warnings, func(text string) bool { return strings.Contains(text, ": canary") })
		mutated := strings.Contains(string(body), `"holderIdentity":"canary"`)
		known := !strings.Contains(a.Message, "failed to find resource referenced by paramKind")
		if warned == applied && (at.mutates == "" || mutated == applied) && known {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("the canaries are not as they should be: warned %t, mutated %t, applied %t: %d %s",
				warned, mutated, applied, a.Code, a.Message), ctx.Err())
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// keepers returns policies that are never removed. Their params are ConfigMaps and
// Secrets, so that the server always watches these kinds. Without keepers, a server stops
// watching a built-in kind when the last policy with params of this kind is removed. When
// it starts again, it uses outdated objects.
func (at *stage) keepers() []json.RawMessage {
	var raw []json.RawMessage
	kinds := []string{"ValidatingAdmissionPolicy"}
	if at.mutates != "" {
		kinds = append(kinds, "MutatingAdmissionPolicy")
	}
	for _, kind := range kinds {
		version, rest := "v1", `"validations":[{"expression":"true"}]`
		actions := `,"validationActions":["Audit"]`
		if kind == "MutatingAdmissionPolicy" {
			version, actions = at.mutates, ""
			rest = `"reinvocationPolicy":"Never","mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op: \"test\", path: \"/a\", value: 1}]"}}]`
		}
		for _, param := range []string{"ConfigMap", "Secret"} {
			name := "keeper-" + strings.ToLower(param)
			raw = append(raw,
				json.RawMessage(`{"apiVersion":"`+admission+version+`","kind":"`+kind+`","metadata":{"name":"`+name+`"},"spec":{"failurePolicy":"Ignore","paramKind":{"apiVersion":"v1","kind":"`+param+`"},"matchConstraints":{"resourceRules":[{"apiGroups":["keeper.example.com"],"apiVersions":["v1"],"resources":["keepers"],"operations":["CREATE"]}]},`+rest+`}}`),
				json.RawMessage(`{"apiVersion":"`+admission+version+`","kind":"`+kind+`Binding","metadata":{"name":"`+name+`"},"spec":{"policyName":"`+name+`","paramRef":{"name":"none","namespace":"default","parameterNotFoundAction":"Allow"}`+actions+`}}`))
		}
	}
	return raw
}

// customParams returns a policy and its binding for each kind of params that the scene
// defines. Until the server knows the kind, which takes up to half a minute, the policy
// denies the Leases of the canaries.
func (at *stage) customParams(context []json.RawMessage) []json.RawMessage {
	type paramKind struct{ APIVersion, Kind string }
	defined := map[string]bool{}
	var wanted []paramKind
	for _, obj := range context {
		var fields struct {
			Spec struct {
				Names     struct{ Kind string }
				ParamKind paramKind
			}
		}
		if json.Unmarshal(obj, &fields) != nil {
			continue
		}
		defined[fields.Spec.Names.Kind] = true
		if kind := fields.Spec.ParamKind; kind.Kind != "" && !slices.Contains(wanted, kind) {
			wanted = append(wanted, kind)
		}
	}
	var raw []json.RawMessage
	for i, kind := range wanted {
		if !defined[kind.Kind] {
			continue
		}
		name := fmt.Sprint("params-", at.scenes, "-", i)
		metadata := fmt.Sprintf(`{"name":%q}`, name)
		raw = append(raw,
			json.RawMessage(fmt.Sprintf(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":%s,"spec":{"paramKind":{"apiVersion":%q,"kind":%q},"matchConstraints":%s,"validations":[{"expression":"true"}]}}`,
				metadata, kind.APIVersion, kind.Kind, at.leases())),
			json.RawMessage(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":`+metadata+`,"spec":{"policyName":"`+name+`","paramRef":{"name":"none","parameterNotFoundAction":"Allow"},"validationActions":["Audit"]}}`))
	}
	return raw
}

// leases returns the matchConstraints for the canaries' Leases.
func (at *stage) leases() string {
	return fmt.Sprintf(`{"objectSelector":{"matchLabels":{"oracle-canary":"canary-%d"}},"resourceRules":[{"apiGroups":["coordination.k8s.io"],"apiVersions":["v1"],"resources":["leases"],"operations":["CREATE"]}]}`, at.scenes)
}
