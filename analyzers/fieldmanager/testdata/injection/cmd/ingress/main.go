// Command ingress builds its clients without sharedmain.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubeclient "knative.dev/pkg/client/injection/kube/client"
	"knative.dev/pkg/injection"
)

func main() {
	cfg := injection.ParseAndGetRESTConfigOrDie()
	ctx, _ := injection.Default.SetupInformers(context.Background(), cfg) // want `the API server records 1 write of this program under the field manager "ingress", the name of the binary, which other programs share: set UserAgent in its configuration`
	if _, err := kubeclient.Get(ctx).CoreV1().Pods("default").Update(ctx, &corev1.Pod{}, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
}
