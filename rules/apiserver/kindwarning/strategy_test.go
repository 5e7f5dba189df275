package kindwarning

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func read(t testing.TB, text string) *wire.Value {
	t.Helper()
	if text == "" {
		return nil
	}
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	v, _, err := wire.YAML(node.YNode(), []byte(text), 1)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return v
}

func requestFor(t testing.TB, old, text string) apiserver.Request {
	t.Helper()
	r := apiserver.Request{New: read(t, text), Old: read(t, old)}
	r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
	return r
}

// TestFirstMinor checks which minors send each warning, and to which value the
// warning points.
func TestFirstMinor(t *testing.T) {
	for _, c := range []struct {
		name, old, manifest string
		gate                map[string]bool
		// first and last are the first and the last minor that send want. If last
		// is 0, it means 37.
		first, last lifecycle.Minor
		want        string
	}{
		{name: "topology-aware hints", first: 27, manifest: `{apiVersion: v1, kind: Service, metadata: {annotations: {service.kubernetes.io/topology-aware-hints: auto}}}`,
			want: `service.kubernetes.io/topology-aware-hints DeprecatedField metadata.annotations[service.kubernetes.io/topology-aware-hints] annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead`},
		{name: "Service address", first: 27, last: 32, manifest: `{apiVersion: v1, kind: Service, spec: {clusterIP: 010.0.0.1}}`,
			want: `010.0.0.1 Advice spec.clusterIPs[0] spec.clusterIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.0.0.1"): IPv4 field has octet with leading zero`},
		{name: "Service address later", first: 33, last: 35, manifest: `{apiVersion: v1, kind: Service, spec: {clusterIP: 010.0.0.1}}`,
			want: `010.0.0.1 Advice spec.clusterIPs[0] spec.clusterIPs[0]: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"`},
		{name: "Service address last", first: 36, manifest: `{apiVersion: v1, kind: Service, spec: {clusterIP: 010.0.0.1}}`,
			want: `010.0.0.1 Advice spec.clusterIPs[0] spec.clusterIPs[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"`},
		{name: "headless", first: 34, manifest: `{apiVersion: v1, kind: Service, spec: {clusterIP: None, sessionAffinity: ClientIP}}`,
			want: `ClientIP Advice spec.sessionAffinity spec.SessionAffinity is ignored for headless services`},
		{name: "external name", first: 28, manifest: `{apiVersion: v1, kind: Service, spec: {externalName: a.example.com}}`,
			want: `a.example.com Advice spec.externalName spec.externalName is ignored when spec.type is not "ExternalName"`},
		{name: "external IPs", first: 36, manifest: `{apiVersion: v1, kind: Service, spec: {externalIPs: [1.2.3.4]}}`,
			want: `externalIPs DeprecatedField spec.externalIPs spec.externalIPs is deprecated and may no longer be implemented in some clusters`},
		{name: "traffic distribution", first: 35, manifest: `{apiVersion: v1, kind: Service, spec: {trafficDistribution: PreferClose}}`,
			want: `PreferClose DeprecatedField spec.trafficDistribution spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"`},
		{name: "address of the stored Service", first: 36, old: `{apiVersion: v1, kind: Service, spec: {clusterIP: 010.0.0.1, clusterIPs: [010.0.0.1]}}`,
			manifest: `{apiVersion: v1, kind: Service, spec: {ports: [{port: 80}]}}`,
			want:     `{ Advice spec.clusterIPs[0] spec.clusterIPs[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"`},
		{name: "configSource", first: 22, last: 25, gate: map[string]bool{"DynamicKubeletConfig": true},
			manifest: `{apiVersion: v1, kind: Node, spec: {configSource: {}}}`,
			want:     `configSource DeprecatedField spec.configSource spec.configSource: deprecated in v1.22, support removal is planned in v1.23`},
		{name: "externalID", first: 27, manifest: `{apiVersion: v1, kind: Node, spec: {externalID: x}}`,
			want: `externalID DeprecatedField spec.externalID spec.externalID: this field is deprecated, and is unused by Kubernetes`},
		{name: "single podCIDR", first: 33, manifest: `{apiVersion: v1, kind: Node, spec: {podCIDR: 10.0.0.1/8, podCIDRs: [10.0.0.0/8]}}`,
			want: `10.0.0.1/8 Advice spec.podCIDRs[0] spec.podCIDRs[0]: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)`},
		{name: "runtime class", first: 25, manifest: `{apiVersion: node.k8s.io/v1, kind: RuntimeClass, scheduling: {nodeSelector: {beta.kubernetes.io/os: linux}}}`,
			want: `beta.kubernetes.io/os DeprecatedField scheduling.nodeSelector scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead`},
		{name: "Recycle", first: 30, manifest: `{apiVersion: v1, kind: PersistentVolume, spec: {persistentVolumeReclaimPolicy: Recycle}}`,
			want: `Recycle DeprecatedField spec.persistentVolumeReclaimPolicy spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.`},
		{name: "storageos", first: 28, manifest: `{apiVersion: v1, kind: PersistentVolume, spec: {storageos: {}}}`,
			want: `storageos DeprecatedField spec.storageOS spec.storageOS: deprecated in v1.22, non-functional in v1.25+`},
		{name: "mount options", first: 31, manifest: `{apiVersion: v1, kind: PersistentVolume, metadata: {annotations: {volume.beta.kubernetes.io/mount-options: ""}}}`,
			want: `volume.beta.kubernetes.io/mount-options DeprecatedField metadata.annotations[volume.beta.kubernetes.io/mount-options] metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead`},
		{name: "label of a volume", first: 25, manifest: `{apiVersion: v1, kind: PersistentVolume, spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: beta.kubernetes.io/os}]}]}}}}`,
			want: `beta.kubernetes.io/os DeprecatedField spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead`},
		{name: "claim", first: 26, manifest: `{apiVersion: v1, kind: PersistentVolumeClaim, spec: {resources: {requests: {storage: 1.5}}}}`,
			want: `1.5 Advice spec.resources.requests[storage] spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer`},
		{name: "claim's class", first: 28, manifest: `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {annotations: {volume.beta.kubernetes.io/storage-class: a}}}`,
			want: `volume.beta.kubernetes.io/storage-class DeprecatedField metadata.annotations[volume.beta.kubernetes.io/storage-class] metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead`},
		{name: "storage class", first: 25, manifest: `{apiVersion: storage.k8s.io/v1, kind: StorageClass, allowedTopologies: [{matchLabelExpressions: [{key: beta.kubernetes.io/os}]}]}`,
			want: `beta.kubernetes.io/os DeprecatedField allowedTopologies[0].matchLabelExpressions[0].key allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.14; use "kubernetes.io/os" instead`},
		{name: "storage capacity", first: 31, manifest: `{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, nodeTopology: {matchLabels: {node-role.kubernetes.io/master: ""}}}`,
			want: `node-role.kubernetes.io/master DeprecatedField nodeTopology.matchLabels.node-role.kubernetes.io/master nodeTopology.matchLabels.node-role.kubernetes.io/master: use "node-role.kubernetes.io/control-plane" instead`},
		{name: "driver", first: 35, manifest: `{apiVersion: storage.k8s.io/v1, kind: CSIDriver, spec: {tokenRequests: [{audience: a}]}}`,
			want: `tokenRequests Advice spec.serviceAccountTokenInSecrets spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes`},
		{name: "driver without gate", gate: map[string]bool{"CSIServiceAccountTokenSecrets": false}, manifest: `{apiVersion: storage.k8s.io/v1, kind: CSIDriver, spec: {tokenRequests: [{audience: a}]}}`},
		{name: "same requests", old: `{spec: {tokenRequests: [{audience: a}]}}`, manifest: `{apiVersion: storage.k8s.io/v1, kind: CSIDriver, spec: {tokenRequests: [{audience: a, expirationSeconds: null}]}}`},
		{name: "other requests", first: 35, old: `{spec: {tokenRequests: [{audience: a}]}}`, manifest: `{apiVersion: storage.k8s.io/v1, kind: CSIDriver, spec: {tokenRequests: [{audience: a, expirationSeconds: 600}]}}`,
			want: `tokenRequests Advice spec.serviceAccountTokenInSecrets spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes`},
		{name: "slice of names", first: 27, manifest: `{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: FQDN}`,
			want: `FQDN DeprecatedField spec.addressType spec.addressType: FQDN endpoints are deprecated`},
		{name: "slice of names, update", old: `{}`, manifest: `{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: FQDN}`},
		{name: "slice", first: 33, last: 35, manifest: `{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, endpoints: [{addresses: [1.2.3.04]}]}`,
			want: `1.2.3.04 Advice endpoints[0].addresses[0] endpoints[0].addresses[0]: non-standard IP address "1.2.3.04" will be considered invalid in a future Kubernetes release: use "1.2.3.4"`},
		{name: "controller's slice", manifest: `{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {labels: {endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io}}, endpoints: [{addresses: [1.2.3.04]}]}`},
		{name: "endpoints", first: 36, manifest: `{apiVersion: v1, kind: Endpoints, subsets: [{notReadyAddresses: [{ip: 1.2.3.04}]}]}`,
			want: `1.2.3.04 Advice subsets[0].notReadyAddresses[0].ip subsets[0].notReadyAddresses[0].ip: non-standard IP address "1.2.3.04" is invalid: use "1.2.3.4"`},
		{name: "ingress class", first: 27, manifest: `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {annotations: {kubernetes.io/ingress.class: a}}}`,
			want: `kubernetes.io/ingress.class DeprecatedField metadata.annotations[kubernetes.io/ingress.class] annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`},
		{name: "ingress class, update", old: `{}`, manifest: `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {annotations: {kubernetes.io/ingress.class: a}}}`},
		{name: "network policy", first: 36, manifest: `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.0.0.0/016]}}]}]}}`,
			want: `10.0.0.0/016 Advice spec.egress[0].to[0].ipBlock.except[0] spec.egress[0].to[0].ipBlock.except[0]: non-standard CIDR value "10.0.0.0/016" is invalid: use "10.0.0.0/16"`},
		{name: "TLS", first: 27, manifest: `{apiVersion: v1, kind: Secret, type: kubernetes.io/tls, data: {tls.crt: "", tls.key: ""}}`,
			want: `"" Advice data[tls.crt] tls: failed to find any PEM data in certificate input`},
		{name: "service account", first: 32, manifest: `{apiVersion: v1, kind: ServiceAccount, metadata: {annotations: {kubernetes.io/enforce-mountable-secrets: "false"}}}`,
			want: `kubernetes.io/enforce-mountable-secrets DeprecatedField metadata.annotations[kubernetes.io/enforce-mountable-secrets] metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`},
		{name: "service account, stored", old: `{metadata: {annotations: {kubernetes.io/enforce-mountable-secrets: ""}}}`,
			manifest: `{apiVersion: v1, kind: ServiceAccount, metadata: {annotations: {kubernetes.io/enforce-mountable-secrets: "false"}}}`},
		{name: "quota", first: 35, manifest: `{apiVersion: v1, kind: ResourceQuota, spec: {hard: {cpu: "4", limits.cpu: 1500m, limits.memory: 1}}}`,
			want: `"4" Advice spec.hard[cpu] ResourceQuota cpu (4) should be less than limits.cpu (1500m)`},
		{name: "quota, both", first: 35, manifest: `{apiVersion: v1, kind: ResourceQuota, spec: {hard: {cpu: 4, requests.cpu: 2, limits.cpu: null}}}`,
			want: `2 Advice spec.hard[requests.cpu] ResourceQuota requests.cpu (2) should be less than limits.cpu (0)`},
		{name: "resource slice", first: 35, manifest: `{apiVersion: resource.k8s.io/v1beta1, kind: ResourceSlice, spec: {driver: A.example.com}}`,
			want: `A.example.com Advice spec.driver spec.driver: driver names should be lowercase; "A.example.com" contains uppercase characters`},
		{name: "static name", first: 36, last: 36, manifest: `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: a.static.k8s.io}}`,
			want: `a.static.k8s.io Advice metadata.name metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`},
		{name: "static name without gate", first: 36, gate: map[string]bool{"ManifestBasedAdmissionControlConfig": false},
			manifest: `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: a.static.k8s.io}}`,
			want:     `a.static.k8s.io Advice metadata.name metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`},
		{name: "static name, update", first: 36, old: `{}`, manifest: `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: a.static.k8s.io}}`,
			want: `a.static.k8s.io Advice metadata.name metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`},
		{name: "excluded rule", first: 37, manifest: `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, webhooks: [{rules: [{apiGroups: [authentication.k8s.io, apps, authentication.k8s.io], resources: [tokenreviews]}]}]}`,
			want: `tokenreviews Advice webhooks[0].rules[0] webhooks[0].rules[0]: tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect`},
		{name: "all groups", manifest: `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, webhooks: [{rules: [{apiGroups: [authentication.k8s.io, "*"], resources: [tokenreviews]}]}]}`},
		{name: "format", first: 34, manifest: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {properties: {a: {type: string, format: odd}}}}}]}}`,
			want: `odd Advice spec.versions[0].schema.openAPIV3Schema.properties[a].format unrecognized format "odd"`},
		{name: "format of 1.34", first: 34, last: 34, manifest: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {items: [{type: string, format: k8s-short-name}]}}}]}}`,
			want: `k8s-short-name Advice spec.versions[0].schema.openAPIV3Schema.items[0].format unrecognized format "k8s-short-name"`},
		{name: "format of a number", first: 36, manifest: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {not: {type: number, format: int64}}}}]}}`,
			want: `int64 Advice spec.versions[0].schema.openAPIV3Schema.not.format unrecognized format "int64"`},
		{name: "stored format", old: `{spec: {versions: [{schema: {openAPIV3Schema: {type: string, format: odd}}}]}}`,
			manifest: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {properties: {a: {type: string, format: odd}}}}}]}}`},
		{name: "set of objects", first: 37, manifest: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {x-kubernetes-list-type: set, items: {type: object}}}}]}}`,
			want: `set Advice spec.versions[0].schema.openAPIV3Schema.x-kubernetes-list-type x-kubernetes-list-type: set for items of type "object" is not supported by server-side apply or CEL validation rules`},
		{name: "another group", manifest: `{apiVersion: example.com/v1, kind: Service, spec: {externalName: a}}`},
		{name: "ConfigMap", manifest: `{apiVersion: v1, kind: ConfigMap, data: {a: b}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := requestFor(t, c.old, c.manifest)
			last := c.last
			if last == 0 {
				last = 37
			}
			for m := lifecycle.Oldest; m <= 37; m++ {
				s := recorded.WithGates(m, c.gate)
				var got []string
				for _, w := range Strategy(s, r) {
					got = append(got, describe(c.manifest, w))
				}
				has := strings.Contains(strings.Join(got, "\n"), c.want)
				if due := c.want != "" && c.first <= m && m <= last; due && !has || !due && c.want != "" && has || c.want == "" && got != nil {
					t.Fatalf("%v: got %s\nwant %s from %v to %v", m, strings.Join(got, "\n"), c.want, c.first, last)
				}
			}
		})
	}
}

// describe returns the text of the manifest to which a warning points, and the
// warning's class, field and text.
func describe(manifest string, w apiserver.Warning) string {
	class := map[apiserver.Class]string{apiserver.Advice: "Advice", apiserver.DeprecatedField: "DeprecatedField"}[w.Class]
	from := w.At.Pos.Column - 1
	to := max(w.At.End.Column-1, from+1) // for a map or list, its first character
	return fmt.Sprintf("%s %s %s %s", manifest[from:to], class, w.Field, w.Text)
}

// TestOrder checks that several warnings about one object come in the server's
// order.
func TestOrder(t *testing.T) {
	r := requestFor(t, "", `
apiVersion: v1
kind: Service
metadata:
  annotations: {service.kubernetes.io/topology-aware-hints: auto}
spec:
  trafficDistribution: PreferClose
  externalName: a.example.com
  externalIPs: ["2001:DB8::1"]
  loadBalancerIP: "1.2.3.04"
  clusterIP: None
  sessionAffinity: ClientIP
`)
	var got []string
	for _, w := range Strategy(apiserver.Server{Minor: 37}, r) {
		got = append(got, w.Text)
	}
	want := []string{
		"annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
		"spec.loadBalancerIP is ignored for headless services",
		"spec.externalIPs is ignored for headless services",
		"spec.SessionAffinity is ignored for headless services",
		`spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")`,
		`spec.loadBalancerIP: non-standard IP address "1.2.3.04" is invalid: use "1.2.3.4"`,
		`spec.externalName is ignored when spec.type is not "ExternalName"`,
		`spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestPair checks certificates and keys of TLS Secrets.
func TestPair(t *testing.T) {
	for _, c := range []struct{ name, crt, key, field, text string }{
		{"a pair", pairs[0].crt, pairs[0].key, "", ""},
		{"two pairs", pairs[0].crt, pairs[1].key, "data[tls.key]", "tls: private key does not match public key"},
		{"swapped", pairs[0].key, pairs[0].crt, "data[tls.crt]", "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"},
		{"no key", pairs[0].crt, "", "data[tls.key]", "tls: failed to find any PEM data in key input"},
		{"longer than anybody's", pairs[0].crt, strings.Repeat("x", 1<<15), "", ""},
	} {
		quoted := func(s string) string { return fmt.Sprintf("%q", s) }
		r := requestFor(t, "", `{"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls", "stringData": {"tls.crt": `+quoted(c.crt)+`, "tls.key": `+quoted(c.key)+`}}`)
		var field, text string
		for _, w := range Strategy(apiserver.Server{Minor: 37}, r) {
			field, text = w.Field, w.Text
		}
		if field != c.field || text != c.text {
			t.Errorf("%s: %s %q, want %s %q", c.name, field, text, c.field, c.text)
		}
	}
}

func TestOwnerReferences(t *testing.T) {
	r := requestFor(t, "", `
apiVersion: v1
kind: ConfigMap
metadata:
  ownerReferences:
  - {apiVersion: v1, kind: Pod, name: a, uid: u1}
  - {apiVersion: v1, kind: Pod, name: b, uid: u1}
  - {apiVersion: v1, kind: Pod, name: a, uid: u1, controller: null}
  - {apiVersion: v1, kind: Pod, name: a, uid: u1, controller: false}
  - {apiVersion: v1, kind: Pod, name: b, uid: u1}
`)
	const rest = "; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u1, u1"
	for _, m := range []lifecycle.Minor{20, 24, 37} {
		s := apiserver.Server{Minor: m}
		got := append(OwnerReferences(s, r), OwnerReferencesOfPatch(s, r)...)
		if len(got) != 2 || got[0].Text != ".metadata.ownerReferences contains duplicate entries"+rest ||
			got[1].Text != ".metadata.ownerReferences contains duplicate entries after mutating admission happens"+rest || got[0].At.Pos.Line != 8 {
			t.Errorf("%v: %+v", m, got)
		}
	}
	if got := OwnerReferences(apiserver.Server{Minor: 19}, r); got != nil {
		t.Errorf("1.19: %+v", got)
	}
}

// FuzzStrategy looks for panics and for warnings that point to no value.
func FuzzStrategy(f *testing.F) {
	for _, c := range recorded.Lines[recorded.Case](f, "testdata/cases.jsonl.gz") {
		f.Add(string(c.Obj), "", uint8(37))
		if len(c.Setup) > 0 {
			f.Add(string(c.Obj), string(c.Setup[0]), uint8(35))
		}
	}
	f.Fuzz(func(t *testing.T, text, stored string, minor uint8) {
		obj, err := wire.JSON([]byte(text))
		if err != nil {
			return
		}
		old, err := wire.JSON([]byte(stored))
		if err != nil {
			old = nil
		}
		s := apiserver.Server{Minor: lifecycle.Oldest + lifecycle.Minor(minor%22)}
		r := apiserver.Request{New: obj, Old: old, APIVersion: obj.Get("apiVersion").StringOr(""), Kind: obj.Get("kind").StringOr("")}
		for _, w := range append(OwnerReferences(s, r), Strategy(s, r)...) {
			if w.At == nil || w.Text == "" {
				t.Errorf("%+v", w)
			}
		}
	})
}

// TestBounds checks that large objects do not take long.
func TestBounds(t *testing.T) {
	const n = 100_000
	list := func(item string) string { return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]" }
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"Service","spec":{"externalIPs":` + list(`"::ffff:1.2.3.4"`) + `}}`,
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"ownerReferences":` + list(`{"uid":"u"}`) + `}}`,
		`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","webhooks":[{"rules":[{"apiGroups":` +
			list(`"authentication.k8s.io"`) + `,"resources":` + list(`"pods"`) + `}]}]}`,
		`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":` +
			strings.Repeat(`{"format":"x","type":"string","items":`, 9000) + `{"format":"y"}` + strings.Repeat("}", 9000) + `}}]}}`,
	} {
		obj, err := wire.JSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r := apiserver.Request{New: obj, APIVersion: obj.Get("apiVersion").Text, Kind: obj.Get("kind").Text}
		s := apiserver.Server{Minor: 37}
		if got := len(Strategy(s, r)) + len(OwnerReferences(s, r)); got > maxWarnings {
			t.Errorf("%d warnings", got)
		}
	}
}

func BenchmarkStrategy(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"Service", `{apiVersion: v1, kind: Service, metadata: {name: a, labels: {app: a}}, spec: {type: LoadBalancer, selector: {app: a}, loadBalancerSourceRanges: [10.0.0.0/8, 192.168.0.0/16], ports: [{name: http, port: 80, targetPort: 8080}, {name: https, port: 443}]}}`},
		{"NetworkPolicy", `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: a}, spec: {podSelector: {}, egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [10.0.0.0/8, 192.168.0.0/16, 172.16.0.0/12]}}]}]}}`},
		{"ConfigMap", `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {app: a}}, data: {a: b}}`},
	} {
		r := requestFor(b, "", c.text)
		s := apiserver.Server{Minor: 37}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				OwnerReferences(s, r)
				Strategy(s, r)
			}
		})
	}
}
