// Package main labels the Pod in which it runs and keeps a status, even in a dry run.
package main

import (
	"context"
	"flag"
	"os"

	"github.com/operator-framework/operator-lib/leader"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

var tasks = schema.GroupVersionResource{Group: "example.org", Version: "v1", Resource: "tasks"}

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	identity := os.Getenv("POD_NAME")
	if identity == "" {
		identity, _ = os.Hostname()
	}
	ctx := context.Background()
	config, _ := rest.InClusterConfig()
	cs := kubernetes.NewForConfigOrDie(config)
	dyn := dynamic.NewForConfigOrDie(config)
	elected := func() {
		_ = label(ctx, cs, "tool", identity)
		_ = label2(ctx, cs, "web", "front") // neighbour
	}
	elected()
	_ = finish(ctx, dyn)
	_ = leader.Become(ctx, "tool-lock")
	if *dryRun {
		return
	}
	_ = cs.CoreV1().Pods("web").Delete(ctx, "front", metav1.DeleteOptions{})
}

func label(ctx context.Context, cs kubernetes.Interface, namespace, name string) error {
	_, err := cs.CoreV1().Pods(namespace).Patch(ctx, name, types.MergePatchType, []byte(`{"metadata":{"labels":{"leader":"true"}}}`), metav1.PatchOptions{})
	return err
}

func label2(ctx context.Context, cs kubernetes.Interface, namespace, name string) error {
	_, err := cs.CoreV1().Pods(namespace).Patch(ctx, name, types.MergePatchType, []byte(`{"metadata":{"labels":{"leader":"true"}}}`), metav1.PatchOptions{}) // want "dry run patches a Pod"
	return err
}

func finish(ctx context.Context, dyn dynamic.Interface) error {
	task, err := dyn.Resource(tasks).Namespace("tool").Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if _, err := dyn.Resource(tasks).Namespace("tool").UpdateStatus(ctx, task, metav1.UpdateOptions{}); err != nil {
		return err
	}
	_, err = dyn.Resource(tasks).Namespace("tool").Update(ctx, task, metav1.UpdateOptions{}) // want "dry run updates an object"
	return err
}

// Node writes the status of an object of Kubernetes.
func Node(ctx context.Context, cs kubernetes.Interface, node *corev1.Node, dryRun bool) error {
	_, err := cs.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{}) // want "dry run updates the status of a Node"
	return err
}
