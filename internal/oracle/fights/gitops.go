package main

import (
	"encoding/json"
	"net/http"

	"github.com/fluxcd/pkg/ssa"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// flux reconciles objects with the library of Flux's kustomize-controller. It
// applies the objects for which a dry run shows a difference.
func (a *actor) flux(objects ...object) {
	c, err := client.New(a.config(), client.Options{})
	if err != nil {
		a.play.fail("%v", err)
	}
	m := ssa.NewResourceManager(c, nil, ssa.Owner{Field: "kustomize-controller", Group: "kustomize.toolkit.fluxcd.io"})
	options := ssa.DefaultApplyOptions()
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{lastApplied},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "kustomize-controller", OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{"kustomize.toolkit.fluxcd.io/ssa": "Merge"},
	}
	for _, o := range objects {
		u := &unstructured.Unstructured{Object: o.clone()}
		m.SetOwnerLabels([]*unstructured.Unstructured{u}, "apps", "flux-system")
		if _, err := m.Apply(a.play.ctx, u, options); err != nil {
			a.play.fail("%v", err)
		}
	}
}

// fluxController returns an actor for Flux's kustomize-controller.
func (p *play) fluxController() *actor {
	return p.service("flux-system/kustomize-controller", "kustomize-controller/v0.0.0 (linux/amd64) kubernetes/$Format", "kustomize-controller")
}

// argoController returns an actor for Argo CD's application controller.
func (p *play) argoController() *actor {
	return p.service("argocd/argocd-application-controller", "argocd-application-controller/v3.1.0 (linux/amd64) kubernetes/$Format", "argocd-controller")
}

// typed are the kinds that are patched with strategic merge patches.
var typed = map[string]any{
	"Deployment": appsv1.Deployment{}, "StatefulSet": appsv1.StatefulSet{}, "DaemonSet": appsv1.DaemonSet{}, "Service": corev1.Service{},
	"ConfigMap": corev1.ConfigMap{}, "CronJob": batchv1.CronJob{}, "ServiceAccount": corev1.ServiceAccount{}, "Namespace": corev1.Namespace{},
	"Secret": corev1.Secret{},
}

// threeWay applies an object like the client-side apply of kubectl and Argo CD.
// It sends a patch that is computed from the last applied, the stored and the
// new object.
func (a *actor) threeWay(t *thing, o object) {
	text, err := json.Marshal(o)
	if err != nil {
		a.play.fail("%v", err)
	}
	o = o.with(string(text)+"\n", "metadata", "annotations", lastApplied)
	modified, err := json.Marshal(o)
	if err != nil {
		a.play.fail("%v", err)
	}
	r := a.send(http.MethodGet, t.path(), "", nil)
	if r.code == http.StatusNotFound {
		a.must(a.send(http.MethodPost, t.collection(), "", o))
		return
	}
	current := a.must(r)
	original := []byte(current.object().clone().text("metadata", "annotations", lastApplied))
	contentType := mergePatch
	var patch []byte
	if example, found := typed[o.text("kind")]; found {
		contentType = strategicPatch
		var meta strategicpatch.PatchMetaFromStruct
		if meta, err = strategicpatch.NewPatchMetaFromStruct(example); err == nil {
			patch, err = strategicpatch.CreateThreeWayMergePatch(original, modified, current.body, meta, true)
		}
	} else {
		patch, err = jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current.body)
	}
	if err != nil {
		a.play.fail("%v", err)
	}
	if string(patch) == "{}" || jsonpatch.Equal(patch, []byte("{}")) {
		return
	}
	a.must(a.send(http.MethodPatch, t.path(), contentType, string(patch)))
}
