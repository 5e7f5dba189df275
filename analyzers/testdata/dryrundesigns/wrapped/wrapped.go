// Package wrapped has its own client, whose methods use the dry run.
package wrapped

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Client struct {
	cs     kubernetes.Interface
	dryRun []string
}

func New(cs kubernetes.Interface, dryRun bool) *Client {
	c := &Client{cs: cs}
	if dryRun {
		c.dryRun = []string{metav1.DryRunAll}
	}
	return c
}

func (c *Client) DeletePod(ctx context.Context, name string) error {
	return c.cs.CoreV1().Pods("a").Delete(ctx, name, metav1.DeleteOptions{DryRun: c.dryRun})
}

func (c *Client) DeleteClaim(ctx context.Context, name string) error {
	return c.cs.CoreV1().PersistentVolumeClaims("a").Delete(ctx, name, metav1.DeleteOptions{}) // want "dry run deletes a PersistentVolumeClaim"
}

func (c *Client) Label(ctx context.Context, pod *corev1.Pod) error {
	_, err := c.cs.CoreV1().Pods("a").Update(ctx, pod, metav1.UpdateOptions{DryRun: c.dryRun})
	return err
}
