package main

// bygone lists resources that no release from 1.7 on serves. It is written by
// hand, because OpenAPI documents before 1.7 do not name kinds. Resources that
// were removed before 1.4 are unknown. Source: the registered types in
// k8s.io/kubernetes v1.4.12 and v1.5.8, and the paths of the OpenAPI document of
// 1.5.
var bygone = []struct {
	gvk
	resource    string
	clusterWide bool
	from, to    int
}{
	{gvk{"apps", "v1alpha1", "PetSet"}, "petsets", false, 4, 4},
	{gvk{"batch", "v2alpha1", "Job"}, "jobs", false, 5, 5},
	{gvk{"batch", "v2alpha1", "ScheduledJob"}, "scheduledjobs", false, 4, 6},
	{gvk{"certificates.k8s.io", "v1alpha1", "CertificateSigningRequest"}, "certificatesigningrequests", true, 4, 5},
	{gvk{"extensions", "v1beta1", "HorizontalPodAutoscaler"}, "horizontalpodautoscalers", false, 4, 5},
	{gvk{"extensions", "v1beta1", "Job"}, "jobs", false, 4, 5},
	{gvk{"policy", "v1alpha1", "PodDisruptionBudget"}, "poddisruptionbudgets", false, 4, 4},
}

// addBygone adds the resources of bygone, and the kinds of their lists, to the
// table.
func (b *builder) addBygone() {
	for _, o := range bygone {
		a := &api{gvk: o.gvk, class: "Resource", resource: o.resource, namespaced: !o.clusterWide}
		for m := o.from; m <= o.to; m++ {
			a.servable.add(m)
		}
		b.apis[o.gvk] = a
		list := gvk{o.Group, o.Version, o.Kind + "List"}
		b.apis[list] = &api{gvk: list, class: "List", item: o.gvk}
	}
}
