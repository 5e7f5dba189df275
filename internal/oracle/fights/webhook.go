package main

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

// webhook configures a mutating webhook for writes to a resource in the scene's
// namespace. mutate returns the operations of a JSON patch; nil for no change.
func (p *play) webhook(name, group, version, resource, operations string, mutate func(o object) []map[string]any) {
	hook := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review struct {
			Request struct {
				UID    string
				Object object
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		response := map[string]any{"uid": review.Request.UID, "allowed": true}
		if operations := mutate(review.Request.Object); len(operations) > 0 {
			patch, err := json.Marshal(operations)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			response["patchType"], response["patch"] = "JSONPatch", patch
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response})
	}))
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw})
	err := p.stage.make("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", fmt.Sprintf(
		`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":%q},"webhooks":[{"name":%q,"clientConfig":{"url":%q,"caBundle":%q},"rules":[{"apiGroups":[%q],"apiVersions":[%q],"operations":%s,"resources":[%q]}],"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":%q}},"failurePolicy":"Fail","sideEffects":"None","reinvocationPolicy":"IfNeeded","admissionReviewVersions":["v1"]}]}`,
		name+"-"+p.id, name, hook.URL, base64.StdEncoding.EncodeToString(authority), group, version, operations, resource, p.ns))
	if err != nil {
		p.fail("%v", err)
	}
	// The server calls a new webhook only after a short time.
	time.Sleep(2500 * time.Millisecond)
}

func operation(op, path string, value any) map[string]any {
	return map[string]any{"op": op, "path": path, "value": value}
}
