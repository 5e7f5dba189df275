package conversion

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func appArmorFields(p *inPlace) func(lifecycle.Minor) bool {
	return func(m lifecycle.Minor) bool { return m > 30 || p.target.GateEnabled("AppArmorFields", m) }
}

// storageClass adds a plan for the storage class annotation of a claim or volume.
// owner is the path of the claim or volume. The annotation has precedence over
// the field. Source: GetPersistentVolumeClaimClass in k8s.io/kubernetes
// pkg/apis/core/v1/helper/helpers.go (1.16–1.37).
func (p *inPlace) storageClass(owner Path) {
	at := owner.Field("metadata", "annotations", "volume.beta.kubernetes.io/storage-class")
	v := at.Value(p.object)
	if v == nil || v.Kind != wire.String {
		return
	}
	p.plan(at.String(), "use spec.storageClassName", func(d *draft) bool {
		class := owner.Field("spec", "storageClassName")
		if now := d.value(class); !now.IsNull() && now.StringOr("") != v.Text {
			d.note("The annotation counts where both are there: %q, not %q.", v.Text, now.StringOr(""))
		}
		if d.value(class).StringOr("") != v.Text || d.value(class) == nil {
			d.set(class, text(v.Text), "")
		}
		dropKey(d, at)
		d.review("The class of an existing object cannot be changed, neither in the annotation nor in the field: this change is for new objects.")
		return true
	})
}

// mountOptions adds a plan for the annotation of a PersistentVolume. The
// annotation has precedence over the field. Source: MountOptionFromSpec in
// k8s.io/kubernetes pkg/volume/util/util.go (1.16–1.37).
func (p *inPlace) mountOptions() {
	at := Fields("metadata", "annotations", "volume.beta.kubernetes.io/mount-options")
	v := at.Value(p.object)
	if v == nil || v.Kind != wire.String {
		return
	}
	p.plan(at.String(), "use spec.mountOptions", func(d *draft) bool {
		options := list()
		for _, o := range strings.Split(v.Text, ",") {
			options.Items = append(options.Items, text(o))
		}
		if d.has(Fields("spec", "mountOptions")) {
			d.note("The annotation counts where both are there; its options replace the field's.")
		}
		d.set(Fields("spec", "mountOptions"), options, "")
		dropKey(d, at)
		d.review("Mounts of the volume have the same options.")
		return true
	})
}

// defaultClass adds a plan for the beta annotation of a default StorageClass.
// Servers accept the beta and the new annotation. Source: k8s.io/kubernetes
// pkg/apis/storage/util/helpers.go (1.16–1.37).
func (p *inPlace) defaultClass() {
	at := Fields("metadata", "annotations", "storageclass.beta.kubernetes.io/is-default-class")
	const name = "storageclass.kubernetes.io/is-default-class"
	v := at.Value(p.object)
	if v == nil || v.Kind != wire.String {
		return
	}
	p.plan(at.String(), "use the annotation "+name, func(d *draft) bool {
		to := at.Parent().Field(name)
		switch {
		case d.value(to) == nil:
			d.step(Step{Op: Rename, Path: at, Name: name})
		default:
			if v.Text == "true" && d.value(to).StringOr("") != "true" {
				d.set(to, text("true"), "")
			}
			d.remove(at)
		}
		d.review("Servers ask both annotations; each makes the class the default.")
		return true
	})
}

// unreadyEndpoints adds a plan for the annotation tolerate-unready-endpoints. Up
// to 1.21 it overrode spec.publishNotReadyAddresses. Source: k8s.io/kubernetes
// pkg/controller/endpoint/endpoints_controller.go.
func (p *inPlace) unreadyEndpoints() {
	at := Fields("metadata", "annotations", "service.alpha.kubernetes.io/tolerate-unready-endpoints")
	v := at.Value(p.object)
	if v == nil || v.Kind != wire.String {
		return
	}
	p.plan(at.String(), "use spec.publishNotReadyAddresses", func(d *draft) bool {
		field := Fields("spec", "publishNotReadyAddresses")
		publish, err := strconv.ParseBool(v.Text)
		switch {
		case err != nil:
			d.note("The annotation says %q, which is neither true nor false and counts for nothing.", v.Text)
		case publish == (d.value(field).IsTrue()):
		default:
			d.set(field, boolean(publish), "")
		}
		dropKey(d, at)
		if p.target.To <= 20 {
			d.review("Endpoints and slices stay as they are.")
		} else {
			d.review("Controllers of newer minors do not read the annotation; if the Service worked without it, leave the field out.")
		}
		return true
	})
}

// timeZone adds a plan for a time zone in the schedule of a CronJob.
func (p *inPlace) timeZone() {
	at, zone := Fields("spec", "schedule"), Fields("spec", "timeZone")
	v := at.Value(p.object)
	if v == nil || v.Kind != wire.String {
		return
	}
	for _, prefix := range []string{"TZ=", "CRON_TZ="} {
		rest, ok := strings.CutPrefix(v.Text, prefix)
		if !ok {
			continue
		}
		name, schedule, ok := strings.Cut(rest, " ")
		if !ok || name == "" {
			return
		}
		p.plan(at.String(), "use spec.timeZone", func(d *draft) bool {
			if !p.everyMinor(func(m lifecycle.Minor) bool { return m >= 27 || p.target.GateEnabled("CronJobTimeZone", m) }) {
				d.manual("Servers know spec.timeZone from 1.25 on: keep the schedule while the target is older.")
				return true
			}
			if d.has(zone) && d.value(zone).StringOr("") != name {
				d.manual("The schedule says %s and spec.timeZone says %s: decide on one.", name, d.value(zone).StringOr(""))
				return true
			}
			d.set(at, text(strings.TrimLeft(schedule, " ")), "")
			d.writeDefault(zone, text(name), "")
			d.review("Jobs start at the same times; spec.timeZone must be a name of the time zone database.")
			return true
		})
		return
	}
}
