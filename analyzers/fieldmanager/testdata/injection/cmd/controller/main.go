// Command controller gets its clients by injection.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubeclient "knative.dev/pkg/client/injection/kube/client"
	"knative.dev/pkg/injection/sharedmain"
)

func main() {
	sharedmain.WebhookMainWithContext(context.Background(), "controller", newController) // want `the API server records 1 write of this program under the field manager "controller", the name of the binary, which other programs share: set UserAgent in the configuration, for example with sharedmain.MainWithConfig`
}

func newController(ctx context.Context) error {
	_, err := kubeclient.Get(ctx).CoreV1().Pods("default").Update(ctx, &corev1.Pod{}, metav1.UpdateOptions{})
	return err
}
