package contention

import "testing"

// TestRedacted checks for which fields no values are shown.
func TestRedacted(t *testing.T) {
	thing, secret := Object{Group: "example.com", Resource: "things"}, Object{Resource: "secrets"}
	for _, c := range []struct {
		o    Object
		path string
		want bool
	}{
		{secret, `data["tls.crt"]`, true},
		{secret, "type", true},
		{secret, "metadata.labels.app", false},
		{secret, "metadata.annotations.token", true},
		{Object{Group: "example.com", Resource: "secrets"}, "spec.mode", false},
		{thing, "spec.replicas", false},
		{thing, "spec.containers[name=app].image", false},
		{thing, "spec.adminPassword", true},
		{thing, "spec.admin_passwd", true},
		{thing, `data["github-token"]`, true},
		{thing, "spec.clientSecret", true},
		{thing, "spec.tls.key", true},
		{thing, "spec.apiKey", true},
		{thing, "spec.API_KEY", true},
		{thing, "spec.monkey", false},
		{thing, "spec.affinity.topologyKey", false},
		{thing, "spec.taints[key=a].key", false},
		{thing, "spec.taints[key=a].value", false},
		{thing, "spec.containers[name=app].env[name=DB_PASSWORD].value", true},
		{thing, "spec.containers[name=app].env[name=DB_PASSWORD].name", false},
		{thing, "spec.containers[name=app].env[name=DB_PASS].value", true},
		{thing, "spec.containers[name=app].env[name=AWS_SECRET_ACCESS_KEY].value", true},
		{thing, "spec.containers[name=app].env[name=LOG_LEVEL].value", false},
		{thing, `metadata.annotations["vault.hashicorp.com/Authorization"]`, true},
		{thing, "spec.compass", false},
		{thing, "", false},
	} {
		if got := Redacted(c.o, c.path); got != c.want {
			t.Errorf("%s %s: %v", c.o.Resource, c.path, got)
		}
	}
}
