// Package agent builds clients whose user agent names the program.
package agent

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

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

func literal(ctx context.Context, host string, pod *corev1.Pod) error {
	cs := kubernetes.NewForConfigOrDie(&rest.Config{Host: host, UserAgent: "operator"})
	_, err := cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

func nameless(ctx context.Context, host string, pod *corev1.Pod) error {
	cs := kubernetes.NewForConfigOrDie(&rest.Config{Host: host}) // want `one write through the client built here names no field manager`
	_, err := cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

// Config is whatever the caller says.
func Config(ctx context.Context, cfg *rest.Config, pod *corev1.Pod) error {
	cs := kubernetes.NewForConfigOrDie(cfg)
	_, err := cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}
