package conversion

// preserveZero is the annotation of v1beta3, from 1.28 on, that keeps zero
// shares. Without it, zero means the default.
const preserveZero = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares"

// Up to v1beta3, zero shares of a PriorityLevelConfiguration mean the default of
// 30. In v1, zero means zero. Source: k8s.io/kubernetes
// pkg/apis/flowcontrol/{v1beta1,v1beta2,v1beta3,v1}/{defaults,conversion}.go
// (1.20–1.31).

// assuredShares converts the shares of v1alpha1, v1beta1 and v1beta2, which call
// the field assuredConcurrencyShares.
func assuredShares(d *draft, to destination) {
	limited := Fields("spec", "limited")
	if !isMap(d.value(limited)) {
		return
	}
	d.rename(limited.Field("assuredConcurrencyShares"), "nominalConcurrencyShares")
	shares := limited.Field("nominalConcurrencyShares")
	zeroStands := to.apiVersion == flow+"v1" || d.value(Fields("metadata", "annotations", preserveZero)) != nil
	if v := d.value(shares); zeroStands && isEmpty(v) && (v != nil || to.apiVersion != flow+"v1") {
		d.set(shares, number(30), "")
	}
}

// nominalShares converts the shares of v1beta3, which may have the annotation
// preserveZero.
func nominalShares(d *draft, _ destination) {
	limited := Fields("spec", "limited")
	shares := limited.Field("nominalConcurrencyShares")
	mark := Fields("metadata", "annotations", preserveZero)
	meant := d.value(mark) != nil
	switch v := d.value(shares); {
	case !isMap(d.value(limited)) || !isEmpty(v):
	case meant:
		d.set(shares, number(0), "")
	case v != nil:
		d.set(shares, number(30), "")
	}
	if meant {
		d.remove(mark)
		d.removeEmpty(Fields("metadata", "annotations"))
	}
}
