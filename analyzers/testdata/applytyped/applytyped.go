package applytyped

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const owner = client.FieldOwner("example")

// Widget has fields whose zero values are sent.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec,omitempty"`
	Status            WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Size    int          `json:"size"`
	Colour  string       `json:"colour,omitempty"`
	Door    Door         `json:"door,omitempty"`
	Since   metav1.Time  `json:"since,omitempty"`
	Until   *metav1.Time `json:"until,omitempty"`
	Inner   `json:",inline"`
	Hidden  string `json:"-"`
	Skipped Door   `json:"skipped,omitzero"`
}

type Inner struct {
	Wheels []string `json:"wheels"`
}

type Door struct {
	Open *bool `json:"open,omitempty"`
}

type WidgetStatus struct {
	Ready bool `json:"ready"`
}

func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }

// Gadget has no field whose zero value is sent.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              *GadgetSpec `json:"spec,omitempty"`
	Status            Door        `json:"status,omitempty"`
}

type GadgetSpec struct {
	Size *int `json:"size,omitempty"`
}

func (g *Gadget) DeepCopyObject() runtime.Object { c := *g; return &c }

func literal(ctx context.Context, c client.Client) error {
	w := &Widget{Spec: WidgetSpec{Colour: "red"}}
	return c.Patch(ctx, w, client.Apply, owner) // want `apply of the Go struct applytyped.Widget sends spec.size, spec.door, spec.since and spec.wheels even where nothing was set, and so claims to own them`
}

func assignedAll(ctx context.Context, c client.Client, door Door) error {
	w := &Widget{}
	w.Spec.Size = 3
	w.Spec.Door = door
	w.Spec.Since = metav1.Now()
	w.Spec.Inner = Inner{Wheels: []string{"a"}}
	return c.Patch(ctx, w, client.Apply, owner)
}

func assignedWhole(ctx context.Context, c client.Client, w Widget) error {
	var one Widget
	one.Spec = w.Spec
	one.Spec.Colour = "blue"
	return c.Patch(ctx, &one, client.Apply, owner)
}

func parameter(ctx context.Context, c client.Client, w *Widget) error {
	return c.Patch(ctx, w, client.Apply, owner) // want `sends spec.size, spec.door, spec.since and spec.wheels`
}

func status(ctx context.Context, c client.Client, w *Widget) error {
	return c.Status().Patch(ctx, w, client.Apply, owner) // want `sends status.ready even where nothing was set, and so claims to own it`
}

func pointers(ctx context.Context, c client.Client, g *Gadget) error {
	return c.Patch(ctx, g, client.Apply, owner)
}

func merge(ctx context.Context, c client.Client, w, base *Widget) error {
	return c.Patch(ctx, w, client.MergeFrom(base), owner)
}

func anything(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Patch(ctx, obj, client.Apply, owner)
}

func marshalled(ctx context.Context, d dynamic.ResourceInterface, w *Widget) error {
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = d.Patch(ctx, "a", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "example"}) // want `sends spec.size`
	return err
}

func marshalledMap(ctx context.Context, d dynamic.ResourceInterface, w *Widget) error {
	data, err := json.Marshal(map[string]any{"spec": map[string]any{"size": w.Spec.Size}})
	if err != nil {
		return err
	}
	_, err = d.Patch(ctx, "a", types.ApplyPatchType, data, metav1.PatchOptions{FieldManager: "example"})
	return err
}

func free(ctx context.Context, d dynamic.ResourceInterface, cs kubernetes.Interface, u *unstructured.Unstructured) error {
	if _, err := d.Apply(ctx, "a", u, metav1.ApplyOptions{FieldManager: "example"}); err != nil {
		return err
	}
	_, err := cs.CoreV1().ConfigMaps("default").Apply(ctx, applycorev1.ConfigMap("a", "default"), metav1.ApplyOptions{FieldManager: "example"})
	return err
}
