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

// canaries returns policies that are made after those of a scene. When the
// server applies them, it applies those of the scene, too. They are about
// Leases with a label.
func (at *stage) canaries() []json.RawMessage {
	name := fmt.Sprint("canary-", at.scenes)
	constraints := fmt.Sprintf(`{"objectSelector":{"matchLabels":{"oracle-canary":%q}},"resourceRules":[{"apiGroups":["coordination.k8s.io"],"apiVersions":["v1"],"resources":["leases"],"operations":["CREATE"]}]}`, name)
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

// canary waits until the canaries are applied, or until they are not.
func (at *stage) canary(ctx context.Context, applied bool) error {
	lease := fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"canary","namespace":"kube-system","labels":{"oracle-canary":"canary-%d"}},"spec":{"holderIdentity":"nobody"}}`, at.scenes)
	deadline := time.Now().Add(20 * time.Second)
	for {
		a, body, err := at.Answer(ctx, &oracle.Case{Obj: json.RawMessage(lease)})
		if err != nil {
			return err
		}
		warned := slices.ContainsFunc(a.Warnings, func(text string) bool { return strings.Contains(text, ": canary") })
		mutated := strings.Contains(string(body), `"holderIdentity":"canary"`)
		if warned == applied && (at.mutates == "" || mutated == applied) {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("the canaries are not as they should be: warned %t, mutated %t, applied %t: %d %s",
				warned, mutated, applied, a.Code, a.Message), ctx.Err())
		}
		time.Sleep(100 * time.Millisecond)
	}
}
