package podwarning

import (
	"cmp"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Annotations that were replaced by fields.
const (
	seccompPod       = "seccomp.security.alpha.kubernetes.io/pod"
	seccompContainer = "container.seccomp.security.alpha.kubernetes.io/"
	appArmor         = "container.apparmor.security.beta.kubernetes.io/"
)

// deprecatedAnnotations are the annotations about which servers always warn, in
// the server's order.
var deprecatedAnnotations = [...]struct{ key, text string }{
	{"scheduler.alpha.kubernetes.io/critical-pod", `non-functional in v1.16+; use the "priorityClassName" field instead`},
	{"security.alpha.kubernetes.io/sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
	{"security.alpha.kubernetes.io/unsafe-sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
}

const nullSelector = "a null labelSelector results in matching no pod"

// podTemplate adds the warnings about a pod spec and its metadata. template is
// the value that has both. Source: warningsForPodSpecAndMeta in
// pkg/api/pod/warnings.go (1.22–1.37).
func (w *writer) podTemplate(template *wire.Value) {
	if w.Minor < 22 {
		return
	}
	spec := template.Get("spec")
	annotations := dictionaryOf(template.At("metadata", "annotations"))

	w.placement(spec)
	for i := range deprecatedAnnotations {
		d := &deprecatedAnnotations[i]
		if f := annotations.field(d.key); f != nil {
			w.annotation(f, d.text)
		}
	}
	volumes := w.volumesOf(spec)
	for i, v := range volumes {
		w.volume(i, v)
	}
	if w.Minor >= 32 {
		w.overlaps(volumes, w.projections())
	}
	w.repeatedItems(spec)
	if w.Minor < 28 {
		w.repeatedVolumes(volumes)
	}
	if w.Minor >= 24 || w.Enabled("PodOverhead") {
		overhead := spec.Get("overhead")
		for _, name := range [...]string{"memory", "ephemeral-storage"} {
			w.fractionOfByte(overhead.Get(name), w.prefix+"spec.overhead["+name+"]")
		}
	}
	w.podSeccomp(spec, annotations)
	for c := range w.containers(spec) {
		w.containerSeccomp(c, annotations)
		w.containerAppArmor(c, spec, annotations)
		w.resources(c)
		w.environment(c)
	}
	if w.Minor >= 28 {
		w.ports(spec)
	}
	if w.Minor >= 33 {
		w.portNames(spec)
	}
	if grace := spec.Get("terminationGracePeriodSeconds"); w.Minor >= 27 && w.prefix != "" && integer(grace) < 0 {
		// Servers first replace a negative grace period of a Pod by 1
		// (pkg/apis/core/v1/conversion.go, defaults.go), so they do not warn
		// about a Pod.
		w.warnField(apiserver.Advice, w.prefix+"spec.terminationGracePeriodSeconds",
			"must be >= 0; negative values are invalid and will be treated as 1", grace)
	}
	if w.Minor >= 28 {
		w.podAffinity(spec.Get("affinity"))
	}
	if w.Minor >= 33 {
		w.addresses(spec)
	}
}

// placement warns about deprecated node labels, and about
// topologySpreadConstraints without a selector.
func (w *writer) placement(spec *wire.Value) {
	if selector := spec.Get("nodeSelector"); selector != nil {
		for i := range selector.Fields {
			f := &selector.Fields[i]
			if text, ok := NodeLabel(w.Minor, f.Name); ok {
				w.warnField(apiserver.DeprecatedField, w.prefix+"spec.nodeSelector["+f.Name+"]", text, f.Key())
			}
		}
	}
	if node := spec.At("affinity", "nodeAffinity"); !node.IsNull() {
		const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
		for i, term := range node.At(required, "nodeSelectorTerms").Elements() {
			w.nodeSelectorTerm(term, false, w.prefix+"spec.affinity.nodeAffinity."+required+".nodeSelectorTerms"+wire.Index(i))
		}
		for i, term := range node.Get(preferred).Elements() {
			w.nodeSelectorTerm(term.Get("preference"), true, w.prefix+"spec.affinity.nodeAffinity."+preferred+wire.Index(i)+".preference")
		}
	}
	for i, c := range spec.Get("topologySpreadConstraints").Elements() {
		key := c.Get("topologyKey")
		if text, ok := NodeLabel(w.Minor, key.StringOr("")); ok {
			w.warnField(apiserver.DeprecatedField, w.prefix+"spec.topologySpreadConstraints"+wire.Index(i)+".topologyKey", key.Text+" is "+text, key)
		}
		if selector := c.Get("labelSelector"); w.Minor >= 28 && selector.IsNull() {
			w.warnField(apiserver.Advice, w.prefix+"spec.topologySpreadConstraints"+wire.Index(i)+".labelSelector", nullSelector, cmp.Or(selector, c))
		}
	}
}

// podAffinity warns about affinity terms without a selector.
func (w *writer) podAffinity(affinity *wire.Value) {
	if affinity.IsNull() {
		return
	}
	for _, kind := range [...]string{"podAffinity", "podAntiAffinity"} {
		a := affinity.Get(kind)
		if a.IsNull() {
			continue
		}
		const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
		for i, term := range a.Get(required).Elements() {
			if selector := term.Get("labelSelector"); selector.IsNull() {
				w.warnField(apiserver.Advice, w.prefix+"spec.affinity."+kind+"."+required+wire.Index(i)+".labelSelector", nullSelector, cmp.Or(selector, term))
			}
		}
		for i, weighted := range a.Get(preferred).Elements() {
			term := weighted.Get("podAffinityTerm")
			if selector := term.Get("labelSelector"); selector.IsNull() {
				w.warnField(apiserver.Advice, w.prefix+"spec.affinity."+kind+"."+preferred+wire.Index(i)+".podAffinityTerm.labelSelector", nullSelector,
					cmp.Or(selector, term, weighted))
			}
		}
	}
}

// repeatedItems warns about repeated addresses in hostAliases, and about repeated
// or empty names in imagePullSecrets.
func (w *writer) repeatedItems(spec *wire.Value) {
	var seen names
	for i, a := range spec.Get("hostAliases").Elements() {
		if ip := a.Get("ip"); seen.repeated(ip.StringOr("")) {
			w.warnField(apiserver.Advice, w.prefix+"spec.hostAliases"+wire.Index(i)+".ip", "duplicate ip "+strconv.Quote(ip.StringOr("")), cmp.Or(ip, a))
		}
	}
	secrets := spec.Get("imagePullSecrets").Elements()
	seen = names{}
	for i, s := range secrets {
		if name := s.Get("name"); seen.repeated(name.StringOr("")) {
			w.warnField(apiserver.Advice, w.prefix+"spec.imagePullSecrets"+wire.Index(i)+".name", "duplicate name "+strconv.Quote(name.StringOr("")), cmp.Or(name, s))
		}
	}
	for i, s := range secrets {
		if name := s.Get("name"); name.StringOr("") == "" {
			w.warnField(apiserver.Advice, w.prefix+"spec.imagePullSecrets"+wire.Index(i)+".name", `invalid empty name ""`, cmp.Or(name, s))
		}
	}
}

// addresses warns about IP addresses that other programs may read as another
// address.
func (w *writer) addresses(spec *wire.Value) {
	for i, ns := range spec.At("dnsConfig", "nameservers").Elements() {
		w.address(w.prefix+"spec.dnsConfig.nameservers"+wire.Index(i), ns)
	}
	for i, a := range spec.Get("hostAliases").Elements() {
		if ip := a.Get("ip"); ip != nil {
			w.address(w.prefix+"spec.hostAliases"+wire.Index(i)+".ip", ip)
		}
	}
}

func (w *writer) address(path string, v *wire.Value) {
	for _, text := range netvalue.IPWarnings(w.Minor, path, v.StringOr("")) {
		w.warn(apiserver.Advice, path, text, v)
	}
}

// annotation warns about a deprecated annotation.
func (w *writer) annotation(f *wire.Field, text string) {
	w.warnField(apiserver.DeprecatedField, w.prefix+"metadata.annotations["+f.Name+"]", text, f.Key())
}
