package fix

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
)

func plain(ctx context.Context, pod *corev1.Pod) error {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `one write through the client built here`
	if err != nil {
		return err
	}
	return c.Update(ctx, pod)
}

func typed(ctx context.Context, pod *corev1.Pod) error {
	cfg, err := config.GetConfig()
	if err != nil {
		return err
	}
	cs, err := kubernetes.NewForConfig(cfg) // want `one write through the client built here`
	if err != nil {
		return err
	}
	_, err = cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}
