// Command sample has one of each of what the plugin must show or hide.
package main

import (
	"context"
	"encoding/json"

	batchv1beta1 "k8s.io/api/batch/v1beta1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	"example.org/clients/store"
)

func main() {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		panic(err)
	}
	cs, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	pod := &corev1.Pod{}

	// A value that no server takes, and the same suppressed.
	_, err = cs.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{FieldManager: "sample", DryRun: []string{"true"}})
	if err != nil {
		panic(err)
	}
	//kubevet:ignore dryrunvalue -- to see what the server says
	_, err = cs.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{FieldManager: "sample", DryRun: []string{"yes"}})
	if err != nil {
		panic(err)
	}

	// Force where there is nothing to force.
	_, err = cs.CoreV1().Pods("default").Patch(ctx, "web", types.MergePatchType, []byte("{}"), metav1.PatchOptions{FieldManager: "sample", Force: ptr.To(true)})
	if err != nil {
		panic(err)
	}

	// A write in another package, through the client built above.
	if err := store.Save(ctx, cs, pod); err != nil {
		panic(err)
	}
}

// Job reads a file: no request carries the removed version.
func Job(data []byte) (string, error) {
	var job batchv1beta1.CronJob
	err := json.Unmarshal(data, &job)
	return job.Name, err
}

// golangci-lint suppresses this finding.
var quiet = metav1.DeleteOptions{DryRun: []string{"quiet"}} //nolint:kubevet // for this test

// To golangci-lint, the name of a rule is not a linter.
var loud = metav1.DeleteOptions{DryRun: []string{"loud"}} //nolint:dryrunvalue // for this test
