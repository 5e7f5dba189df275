package validation

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxSecretSize is the maximum size in bytes of the data of a Secret or a
// ConfigMap.
const maxSecretSize = 1 << 20

// configMap checks a ConfigMap. Source: ValidateConfigMap and
// ValidateConfigMapUpdate.
func (v *validator) configMap(obj node) {
	v.metadata(obj, true, subdomainErrors)
	if v.req.Old != nil {
		v.immutableData(obj, "data", "binaryData")
	}
	data, binary := obj.get("data"), obj.get("binaryData")
	size := 0
	for k, value := range data.entries {
		at := value.withPath(data.p.key(k))
		v.invalidString(at, k, configKeyErrors(k))
		if binary.v.Get(k) != nil {
			v.invalidString(at, k, []string{"duplicate of key present in binaryData"})
		}
		size += len(value.text())
	}
	for k, value := range binary.entries {
		v.invalidString(value.withPath(binary.p.key(k)), k, configKeyErrors(k))
		size += base64Size(value.text())
	}
	if size > maxSecretSize {
		v.tooLong(obj.withPath(emptyPath), maxSecretSize)
	}
}

// immutableData checks that an update does not change the fields of a ConfigMap
// or Secret with immutable: true.
func (v *validator) immutableData(obj node, fields ...string) {
	const detail = "field is immutable when `immutable` is set"
	if !root(v.req.Old).isTrue("immutable") {
		return
	}
	if !obj.isTrue("immutable") {
		v.forbidden(obj.get("immutable"), detail)
	}
	for _, field := range fields {
		if !same(obj.v.Get(field), v.req.Old.Get(field)) {
			v.forbidden(obj.get(field), detail)
		}
	}
}

// base64Size returns the size of decoded base64 text in bytes.
func base64Size(s string) int {
	size := len(s) - strings.Count(s, "\n") - strings.Count(s, "\r") // the decoder skips line breaks
	padding := 0
	for i := len(s) - 1; i >= 0 && (s[i] == '=' || s[i] == '\n' || s[i] == '\r'); i-- {
		if s[i] == '=' {
			padding++
		}
	}
	return base64.StdEncoding.DecodedLen(size) - padding
}

// secret checks a Secret, after the server merged stringData into data. Source:
// ValidateSecret and ValidateSecretUpdate.
func (v *validator) secret(obj node) {
	v.metadata(obj, true, subdomainErrors)
	data := obj.get("data").withTexts(obj.get("stringData"))
	kind := obj.strOr("type", "Opaque")
	if v.req.Old != nil {
		if old := root(v.req.Old).strOr("type", "Opaque"); old != kind {
			v.invalid(obj.get("type"), v.typed(kind), "field is immutable")
		}
		v.immutableData(obj, "data")
	}
	size := 0
	for k, value := range data.entries {
		v.invalidString(value.withPath(data.p.key(k)), k, configKeyErrors(k))
		size += base64Size(value.text())
	}
	if size > maxSecretSize {
		v.tooLong(data, maxSecretSize)
	}
	at := func(key string) node {
		n := data.get(key)
		return n.withPath(data.p.key(key))
	}
	need := func(keys ...string) {
		for _, key := range keys {
			if n := at(key); n.v == nil {
				v.required(n, "")
			}
		}
	}
	switch kind {
	case "kubernetes.io/service-account-token":
		annotations := obj.at("metadata", "annotations")
		const name = "kubernetes.io/service-account.name"
		if annotations.str(name) == "" {
			v.required(annotations.get(name).withPath(annotations.p.key(name)), "")
		}
	case "kubernetes.io/dockercfg":
		v.dockerConfig(at(".dockercfg"))
	case "kubernetes.io/dockerconfigjson":
		v.dockerConfig(at(".dockerconfigjson"))
	case "kubernetes.io/basic-auth":
		if at("username").v == nil && at("password").v == nil {
			need("username", "password")
		}
	case "kubernetes.io/ssh-auth":
		if n := at("ssh-privatekey"); n.text() == "" {
			v.required(n, "")
		}
	case "kubernetes.io/tls":
		need("tls.crt", "tls.key")
	}
}

// withTexts returns the map n with the texts of stringData, encoded in base64.
func (n node) withTexts(texts node) node {
	if texts.length() == 0 {
		return n
	}
	merged := &wire.Value{Kind: wire.Map}
	for k, value := range n.entries {
		if texts.v.Get(k) == nil {
			merged.Fields = append(merged.Fields, wire.Field{Name: k, Value: value.v})
		}
	}
	for k, value := range texts.entries {
		encoded := &wire.Value{Kind: wire.String, Text: base64.StdEncoding.EncodeToString([]byte(value.text()))}
		merged.Fields = append(merged.Fields, wire.Field{Name: k, Value: encoded})
	}
	n.v = merged
	return n
}

// dockerConfig checks that a value of a Secret is a JSON object.
func (v *validator) dockerConfig(n node) {
	if n.v == nil {
		v.required(n, "")
		return
	}
	text, err := base64.StdEncoding.DecodeString(n.text())
	if err != nil {
		return // the decoder refuses wrong base64 before validation
	}
	if err := json.Unmarshal(text, &map[string]any{}); err != nil {
		v.invalid(n, strconv.Quote("<secret contents redacted>"), err.Error())
	}
}

// serviceAccount checks a ServiceAccount. Source: ValidateServiceAccount.
func (v *validator) serviceAccount(obj node) { v.metadata(obj, true, subdomainErrors) }

// namespace checks a Namespace. If there is no error, it adds the errors of the
// Pod Security plugin about the labels. Source: ValidateNamespace.
func (v *validator) namespace(obj node) {
	v.metadata(obj, false, labelErrors)
	finalizers := obj.at("spec", "finalizers")
	if v.req.Old != nil {
		finalizers = finalizers.absent() // an update keeps the stored finalizers
	}
	for _, f := range finalizers.items {
		f.p = finalizers.p
		v.invalidString(f, f.text(), qualifiedErrors(v.minor, f.text()))
		v.kubeFinalizer(f)
	}
	if len(v.causes) == 0 && v.minor >= 22 && v.server.Enabled("PodSecurity") {
		v.securityLabels(obj)
	}
}

var securityVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v1\.(0|[1-9][0-9]*)$`) })

// securityLabels checks the labels of Pod Security. On update it reports errors only
// if an invalid label was added or changed. Source: PolicyToEvaluate in
// k8s.io/pod-security-admission/api.
func (v *validator) securityLabels(obj node) {
	labels := obj.at("metadata", "labels")
	changed := v.req.Old == nil
	var addErrors []func()
	for _, mode := range []string{"enforce", "audit", "warn"} {
		for _, suffix := range []string{"", "-version"} {
			key := "pod-security.kubernetes.io/" + mode + suffix
			label := labels.v.Get(key)
			if label == nil {
				continue
			}
			text, detail := label.StringOr(""), ""
			switch {
			case suffix == "" && text != "privileged" && text != "baseline" && text != "restricted":
				detail = "must be one of privileged, baseline, restricted"
			case suffix != "" && text != "latest" && !securityVersion().MatchString(text):
				detail = `must be "latest" or "v1.x"`
			}
			if detail == "" {
				continue
			}
			if !changed && root(v.req.Old).at("metadata", "labels").str(key) != text {
				changed = true
			}
			n := labels.get(key).withPath(labels.p.key(key))
			addErrors = append(addErrors, func() { v.invalidString(n, text, []string{detail}) })
		}
	}
	if changed {
		for _, addError := range addErrors {
			addError()
		}
	}
}

// nodeObject checks a Node. A new node may have a status. Source: ValidateNode.
func (v *validator) nodeObject(obj node) {
	v.metadata(obj, false, subdomainErrors)
	spec := obj.get("spec")
	v.taints(spec.get("taints").withPath((&path{name: "metadata"}).child("taints")))
	for _, field := range []string{"capacity", "allocatable"} {
		list := obj.at("status", field)
		for k, value := range list.entries {
			value.p = list.p.child(k)
			if q, ok := quantity(value); ok {
				v.quantityValue(value, k, q)
			}
		}
	}
	list := spec.get("podCIDRs")
	cidrs := list.texts()
	if cidr := spec.get("podCIDR"); cidr.text() != "" && (len(cidrs) == 0 || cidrs[0] != cidr.text()) {
		list.v = &wire.Value{Kind: wire.List, Items: []*wire.Value{cidr.v}}
		cidrs = []string{cidr.text()}
	}
	v.podRanges(list, cidrs)
	if v.req.Old != nil {
		v.immutableCIDRs(list, cidrs)
	}
}

func (v *validator) podRanges(list node, cidrs []string) {
	for _, c := range list.items {
		switch _, _, ok := netvalue.ParseCIDR(c.text()); {
		case v.minor >= 30:
			v.legacyCIDR(c, c.text())
		case !ok:
			v.invalid(c, v.stringList(cidrs), "must be valid CIDR")
		}
	}
	if len(cidrs) < 2 {
		return
	}
	four, six, wrong := 0, 0, false
	for i, c := range cidrs {
		switch ip, _, ok := netvalue.ParseCIDR(c); {
		case !ok && !wrong:
			wrong = true
			text := "invalid CIDR[" + strconv.Itoa(i) + "]: <nil> (invalid CIDR address: " + c + ")"
			if v.minor < 27 {
				text = "failed to parse cidr value:" + strconv.Quote(c) + " with error:invalid CIDR address: " + c
			}
			v.add(list, "Internal error: invalid PodCIDRs. failed to check with dual stack with error:"+text)
		case ok && ip.To4() == nil:
			six++
		default:
			four++
		}
	}
	if wrong || four == 0 || six == 0 || len(cidrs) > 2 {
		v.invalid(list, v.stringList(cidrs), "may specify no more than one CIDR for each IP family")
	}
	if v.minor < 33 {
		seen := newNames(len(cidrs))
		for _, c := range list.items {
			if !seen.add(c.text()) {
				v.duplicate(c, strconv.Quote(c.text()))
			}
		}
	}
}

// immutableCIDRs checks that an update does not change the pod CIDRs of a node.
func (v *validator) immutableCIDRs(list node, cidrs []string) {
	old := root(v.req.Old).get("spec")
	before := old.get("podCIDRs").texts()
	if cidr := old.str("podCIDR"); cidr != "" && (len(before) == 0 || before[0] != cidr) {
		before = []string{cidr}
	}
	if len(before) > 0 && !slices.Equal(before, cidrs) {
		v.forbidden(list, `node updates may not change podCIDR except from "" to valid`)
	}
}

// taints checks the taints of a Node. Source: validateNodeTaints.
func (v *validator) taints(list node) {
	seen := newNames(list.length())
	for _, t := range list.items {
		key, value, effect := t.get("key"), t.get("value"), t.get("effect")
		v.labelName(key, key.text())
		if errs := labelValueErrors(v.minor, value.text()); len(errs) > 0 {
			v.invalidString(value, value.text(), []string{strings.Join(errs, ";")})
		}
		if effect.text() == "" {
			v.required(effect, "")
		} else {
			v.enum(effect, effect.text(), "NoSchedule", "PreferNoSchedule", "NoExecute")
		}
		if seen.add(effect.text() + "\x00" + key.text()) {
			continue
		}
		text := "core.Taint{Key:" + strconv.Quote(key.text()) + ", Value:" + strconv.Quote(value.text()) + ", Effect:" + strconv.Quote(effect.text()) + ", TimeAdded:<nil>}"
		if v.minor >= 34 {
			text = `{"Key":` + jsonString(key.text()) + `,"Value":` + jsonString(value.text()) + `,"Effect":` + jsonString(effect.text()) + `,"TimeAdded":null}`
		}
		v.add(t, "Duplicate value: "+text+": taints must be unique by key and effect pair")
	}
}

// lease checks a Lease. Source: ValidateLease in
// pkg/apis/coordination/validation.
func (v *validator) lease(obj node) {
	v.commonMetadata(obj, true, subdomainErrors)
	duration, transitions := obj.at("spec", "leaseDurationSeconds"), obj.at("spec", "leaseTransitions")
	if n, ok := duration.number(); ok && n <= 0 {
		v.invalid(duration, itoa(n), "must be greater than 0")
	}
	v.nonnegative(transitions)
}
