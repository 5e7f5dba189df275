// Command agent builds clients from configurations with and without user agents.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	for _, f := range []func(context.Context, *corev1.Pod) error{assigned, added, literal, nameless} {
		if err := f(context.Background(), &corev1.Pod{}); err != nil {
			panic(err)
		}
	}
}

func assigned(ctx context.Context, pod *corev1.Pod) error {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	cfg.UserAgent = "operator/1.0"
	cs := kubernetes.NewForConfigOrDie(cfg)
	_, err = cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

func added(ctx context.Context, pod *corev1.Pod) error {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	c, err := client.New(rest.AddUserAgent(cfg, "operator"), client.Options{})
	if err != nil {
		return err
	}
	return c.Update(ctx, pod)
}

func literal(ctx context.Context, pod *corev1.Pod) error {
	cs := kubernetes.NewForConfigOrDie(&rest.Config{Host: "shop", UserAgent: "operator"})
	_, err := cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

func nameless(ctx context.Context, pod *corev1.Pod) error {
	cs := kubernetes.NewForConfigOrDie(&rest.Config{Host: "shop"}) // want `the API server records 1 write of this program under the field manager "agent"`
	_, err := cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}
