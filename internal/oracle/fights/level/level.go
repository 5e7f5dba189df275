// Package level has audit policies for each audit level, and reduces audit
// events to a lower level.
package level

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// These are the levels of audit policies. Mixed is a policy whose level depends
// on the resource.
const (
	RequestResponse = "RequestResponse"
	Request         = "Request"
	Metadata        = "Metadata"
	Mixed           = "Mixed"
)

// Files returns the names of log files and their levels.
func Files() [][2]string {
	return [][2]string{{"RR.log", RequestResponse}, {"RQ.log", Request}, {"MD.log", Metadata}, {"MX.log", Mixed}}
}

// mixed returns the audit level of a resource in a policy that resembles those
// of real clusters. Bodies of secrets and config maps are not logged. Responses
// are logged only for workloads.
func mixed(group, resource string) string {
	switch {
	case group == "" && (resource == "secrets" || resource == "configmaps" || resource == "nodes" || resource == "endpoints" || resource == "events"),
		group == "coordination.k8s.io", group == "admissionregistration.k8s.io", group == "discovery.k8s.io":
		return Metadata
	case group == "apps", group == "batch", group == "autoscaling":
		return RequestResponse
	}
	return Request
}

// Policy returns an audit policy with one level, or the mixed policy.
func Policy(level string) string {
	rule := func(level string, groups string) string {
		return fmt.Sprintf(`{"level":%q%s}`, level, groups)
	}
	rules := rule(level, "")
	if level == Mixed {
		rules = rule(Metadata, `,"resources":[{"group":"","resources":["secrets","configmaps","nodes","endpoints","events","secrets/*","configmaps/*","nodes/*","endpoints/*"]},{"group":"coordination.k8s.io"},{"group":"admissionregistration.k8s.io"},{"group":"discovery.k8s.io"}]`) + "," +
			rule(RequestResponse, `,"resources":[{"group":"apps"},{"group":"batch"},{"group":"autoscaling"}]`) + "," + rule(Request, "")
	}
	// Responses to token requests contain credentials.
	rules = rule(Metadata, `,"resources":[{"group":"","resources":["serviceaccounts/token"]}]`) + "," + rules
	return `{"apiVersion":"audit.k8s.io/v1","kind":"Policy","omitStages":["RequestReceived"],"rules":[` + rules + `]}`
}

// Lower returns an event of level RequestResponse as the server logs it at a
// lower level. It removes the bodies, and the annotations with the patches of
// webhooks.
func Lower(text []byte, level string) ([]byte, error) {
	if level == RequestResponse {
		return text, nil
	}
	var keys struct {
		ObjectRef struct{ APIGroup, Resource string }
		Level     string
	}
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, err
	}
	if level == Mixed {
		level = mixed(keys.ObjectRef.APIGroup, keys.ObjectRef.Resource)
	}
	if level == RequestResponse || keys.Level == Metadata {
		return text, nil
	}
	text = bytes.Replace(text, []byte(`"level":"RequestResponse"`), []byte(`"level":"`+level+`"`), 1)
	text, err := drop(text, "responseObject")
	if err != nil || level == Request {
		return text, err
	}
	if text, err = drop(text, "requestObject"); err != nil {
		return nil, err
	}
	return dropPatches(text)
}

// drop removes a member of the outermost object, if it exists.
func drop(text []byte, name string) ([]byte, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	for in.More() {
		before := in.InputOffset()
		key, err := in.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, err
		}
		if key == name {
			return append(bytes.Clone(text[:before]), text[in.InputOffset():]...), nil
		}
	}
	return text, nil
}

// dropPatches removes the annotations that are logged only together with
// bodies.
func dropPatches(text []byte) ([]byte, error) {
	i := bytes.LastIndex(text, []byte(`,"annotations":`))
	if i < 0 || !bytes.Contains(text[i:], []byte(`"patch.webhook.admission.k8s.io/`)) {
		return text, nil
	}
	start := i + len(`,"annotations":`)
	var annotations map[string]string
	if err := json.NewDecoder(bytes.NewReader(text[start:])).Decode(&annotations); err != nil {
		return nil, err
	}
	for key := range annotations {
		if len(key) > 6 && key[:6] == "patch." {
			delete(annotations, key)
		}
	}
	data, err := json.Marshal(annotations)
	if err != nil {
		return nil, err
	}
	return append(append(bytes.Clone(text[:start]), data...), '}'), nil
}
