package validation

import (
	"strconv"
	"strings"
)

// env checks the environment variables of a container. Source: ValidateEnv.
func (v *validator) env(list node) {
	for _, e := range list.items {
		if name := e.str("name"); name == "" {
			v.required(e.get("name"), "")
		} else {
			v.invalidString(e.get("name"), name, envNameErrors(name, v.pod.relaxedEnv))
		}
		if from := e.get("valueFrom"); from.isSet() {
			v.envSource(e, from)
		}
	}
}

// envSource checks the source of an environment variable's value. Source:
// validateEnvVarValueFrom.
func (v *validator) envSource(e, from node) {
	sources := 0
	if ref := from.get("fieldRef"); ref.isSet() {
		sources++
		v.fieldSelector(ref, v.envPaths())
		v.hostIPsGate(ref)
	}
	if ref := from.get("resourceFieldRef"); ref.isSet() {
		sources++
		v.resourceSelector(ref, false)
	}
	for _, field := range []string{"configMapKeyRef", "secretKeyRef"} {
		if ref := from.get(field); ref.isSet() {
			sources++
			v.keySelector(ref)
		}
	}
	if ref := v.gated("EnvFiles", from.get("fileKeyRef")); ref.isSet() {
		sources++
		v.fileKeySelector(ref)
	}
	switch {
	case sources == 0 && v.minor >= 34 && v.server.Enabled("EnvFiles"):
		v.invalid(from, `""`, "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`")
	case sources == 0:
		v.invalid(from, `""`, "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`")
	case e.str("value") != "":
		v.invalid(from, `""`, "may not be specified when `value` is not empty")
	case sources > 1:
		v.invalid(from, `""`, "may not have more than one field specified at a time")
	}
}

func (v *validator) envPaths() []string {
	paths := []string{"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"}
	if v.minor < 28 {
		return append(append(paths[:0:0], paths[:6]...), paths[7:]...)
	}
	return paths
}

// volumePaths are the field paths that a downward API volume can use, in the
// server's order. Source: validVolumeDownwardAPIFieldPathExpressions.
var volumePaths = []string{"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"}

// hostIPsGate checks a reference to the field status.hostIPs. Source:
// validateDownwardAPIHostIPs, 1.28–1.31.
func (v *validator) hostIPsGate(ref node) {
	if v.minor >= 28 && v.minor <= 31 && ref.str("fieldPath") == "status.hostIPs" && !v.server.Enabled("PodHostIPs") {
		v.forbidden(ref, "may not be set when feature gate 'PodHostIPs' is not enabled")
	}
}

// fieldSelector checks a fieldRef. Source: validateObjectFieldSelector.
func (v *validator) fieldSelector(ref node, paths []string) {
	version, field := ref.strOr("apiVersion", "v1"), ref.str("fieldPath")
	if field == "" {
		v.required(ref.get("fieldPath"), "")
		return
	}
	name, subscript, subscripted := subscripted(field)
	switch {
	case version != "v1":
		v.conversion(ref, "unsupported pod version: "+version)
		return
	case subscripted && name != "metadata.annotations" && name != "metadata.labels":
		v.conversion(ref, "field label does not support subscript: "+field)
		return
	case subscripted:
		checked := subscript
		if name == "metadata.annotations" {
			checked = strings.ToLower(subscript)
		}
		for _, m := range qualifiedErrors(v.minor, checked) {
			value := checked
			if v.minor < 27 {
				value = subscript
			}
			v.invalid(ref, strconv.Quote(value), m)
		}
		return
	}
	switch field {
	case "spec.host":
		field = "spec.nodeName"
	case "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "spec.schedulerName", "status.phase", "status.hostIP", "status.podIP", "status.podIPs":
	default:
		if field == "status.hostIPs" && v.minor >= 28 {
			break
		}
		v.conversion(ref, "field label not supported: "+field)
		return
	}
	for _, p := range paths {
		if p == field {
			return
		}
	}
	v.unsupported(ref.get("fieldPath"), strconv.Quote(field), paths...)
}

func (v *validator) conversion(ref node, detail string) {
	v.invalid(ref.get("fieldPath"), strconv.Quote(ref.str("fieldPath")), "error converting fieldPath: "+detail)
}

// subscripted splits a field path with a subscript, such as metadata.labels['a'].
// ok is false if it has no subscript. Source: SplitMaybeSubscriptedPath in
// pkg/fieldpath.
func subscripted(s string) (name, subscript string, ok bool) {
	inner, ok := strings.CutSuffix(s, "']")
	if !ok {
		return s, "", false
	}
	name, subscript, ok = strings.Cut(inner, "['")
	if !ok || name == "" {
		return s, "", false
	}
	return name, subscript, true
}

var resourcePaths = []string{"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"}

// resourceSelector checks a resourceFieldRef. Source:
// validateContainerResourceFieldSelector and validateContainerResourceDivisor.
func (v *validator) resourceSelector(ref node, volume bool) {
	resource := ref.str("resource")
	hugepages := strings.HasPrefix(resource, "requests.hugepages-") || strings.HasPrefix(resource, "limits.hugepages-")
	known := hugepages && (v.minor >= 27 || v.server.Enabled("DownwardAPIHugePages"))
	for _, p := range resourcePaths {
		known = known || p == resource
	}
	switch {
	case volume && ref.str("containerName") == "":
		v.required(ref.get("containerName"), "")
	case resource == "":
		v.required(ref.get("resource"), "")
	case !known:
		v.unsupported(ref.get("resource"), strconv.Quote(resource), resourcePaths...)
	}
	divisor := ref.get("divisor")
	q, ok := quantity(divisor)
	if !ok || q.IsZero() {
		return
	}
	refuse := func(detail string) { v.invalid(divisor, strconv.Quote(resource), detail) }
	const units = "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the "
	unit := strings.Contains(" 1 1k 1M 1G 1T 1P 1E 1Ki 1Mi 1Gi 1Ti 1Pi 1Ei ", " "+q.String()+" ")
	_, kind, _ := strings.Cut(resource, ".")
	switch {
	case !known:
		if hugepages && !unit {
			refuse(units + "hugepages resource")
		}
	case kind == "cpu":
		if s := q.String(); s != "1m" && s != "1" {
			refuse("only divisor's values 1m and 1 are supported with the cpu resource")
		}
	case unit:
	case kind == "memory":
		refuse(units + "memory resource")
	case kind == "ephemeral-storage":
		refuse(units + "local ephemeral storage resource")
	case hugepages:
		refuse(units + "hugepages resource")
	}
}

// keySelector checks a reference to a key of a ConfigMap or Secret. Source:
// validateConfigMapKeySelector and validateSecretKeySelector.
func (v *validator) keySelector(ref node) {
	v.dnsSubdomain(ref.get("name"), ref.str("name"))
	if key := ref.str("key"); key == "" {
		v.required(ref.get("key"), "")
	} else {
		v.invalidString(ref.get("key"), key, configKeyErrors(key))
	}
}

// fileKeySelector checks a reference to a key of a file. Source:
// validateFileKeySelector (since 1.34).
func (v *validator) fileKeySelector(ref node) {
	if key := ref.str("key"); key == "" {
		v.required(ref.get("key"), "")
	} else {
		v.invalidString(ref.get("key"), key, envNameErrors(key, true))
	}
	if name := ref.str("volumeName"); name == "" {
		v.required(ref.get("volumeName"), "")
	} else {
		v.dnsLabel(ref.get("volumeName"), name)
	}
	if path := ref.get("path"); path.text() == "" {
		v.required(path, "")
	} else {
		v.noBacksteps(path)
	}
}

// envFrom checks the list envFrom of a container. Errors about sources have the
// path of the list. Source: ValidateEnvFrom.
func (v *validator) envFrom(list node) {
	for _, e := range list.items {
		if prefix := e.str("prefix"); prefix != "" {
			v.invalidString(e.get("prefix"), prefix, envNameErrors(prefix, v.pod.relaxedEnv))
		}
		sources := 0
		for _, field := range []string{"configMapRef", "secretRef"} {
			ref := e.get(field)
			if !ref.isSet() {
				continue
			}
			sources++
			if name := ref.str("name"); name == "" {
				v.required(ref.get("name"), "")
			} else {
				for _, m := range subdomainErrors(v.minor, maskDash(name)) {
					v.invalid(ref.get("name"), strconv.Quote(name), m)
				}
			}
		}
		at := e.withPath(list.p)
		switch {
		case sources == 0:
			v.invalid(at, `""`, "must specify one of: `configMapRef` or `secretRef`")
		case sources > 1:
			v.invalid(at, `""`, "may not have more than one field specified at a time")
		}
	}
}

// fileKeyVolumes checks the volumes that environment variables with a fileKeyRef
// name. Source: validateFileKeyRefVolumes (since 1.34).
func (v *validator) fileKeyVolumes(spec node) {
	if v.minor < 34 || !v.server.Enabled("EnvFiles") {
		return
	}
	for c := range v.allContainers(spec) {
		for _, e := range c.get("env").items {
			ref := e.at("valueFrom", "fileKeyRef")
			if !ref.isSet() {
				continue
			}
			name := ref.get("volumeName")
			found, empty := false, false
			for _, volume := range v.pod.extraVolumes {
				found = found || volume.str("name") == name.text()
			}
			for _, volume := range spec.get("volumes").items {
				if found && !empty {
					break
				}
				if volume.str("name") == name.text() {
					found, empty = true, volume.has("emptyDir") || v.hasNoSource(volume)
				}
			}
			switch {
			case !found:
				v.notFound(name, name.text(), "")
			case !empty:
				v.invalidString(name, name.text(), []string{"referenced volume must be of type emptyDir"})
			}
		}
	}
}
