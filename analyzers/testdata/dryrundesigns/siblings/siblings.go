// Package siblings has functions that hand one plan to several others. Some of them check
// the dry run of the plan, so the others can get a plan with a dry run, too.
package siblings

import (
	"context"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"example.org/clients/dryrundesigns/siblings/plan"
)

// Clean removes an object of a kind.
func Clean(ctx context.Context, c kubernetes.Interface, kind string, p *plan.Plan) error {
	switch kind {
	case "Pod":
		return CleanPod(ctx, c, p)
	case "Secret":
		return CleanSecret(ctx, c, p)
	case "Service":
		return cleanService(ctx, c, p)
	}
	return nil
}

// CleanPod checks the dry run with a method.
func CleanPod(ctx context.Context, c kubernetes.Interface, p *plan.Plan) error {
	if p.GetDryRun() {
		return nil
	}
	return c.CoreV1().Pods("shop").Delete(ctx, p.Name, metav1.DeleteOptions{})
}

// CleanSecret does not check it.
func CleanSecret(ctx context.Context, c kubernetes.Interface, p *plan.Plan) error {
	return c.CoreV1().Secrets("shop").Delete(ctx, p.Name, metav1.DeleteOptions{}) // want `the write ignores p.DryRun, so a dry run deletes a Secret`
}

func cleanService(ctx context.Context, c kubernetes.Interface, p *plan.Plan) error {
	if !p.DryRun {
		return c.CoreV1().Services("shop").Delete(ctx, p.Name, metav1.DeleteOptions{})
	}
	return nil
}

// Move checks the dry run for one of two functions itself.
func Move(ctx context.Context, c kubernetes.Interface, p *plan.Plan) error {
	if err := CleanPod(ctx, c, p); err != nil || p.DryRun {
		return err
	}
	return moveNode(ctx, c, p)
}

func moveNode(ctx context.Context, c kubernetes.Interface, p *plan.Plan) error {
	return c.CoreV1().Nodes().Delete(ctx, p.Name, metav1.DeleteOptions{})
}

// Drop checks nothing, as its callers may do it. The function that it calls first only
// prints.
func Drop(ctx context.Context, c kubernetes.Interface, p *plan.Plan) error {
	announce(p)
	return dropClaim(ctx, c, p)
}

func announce(p *plan.Plan) {
	if p.GetDryRun() {
		log.Print("dry run of ", p.Name)
	}
}

func dropClaim(ctx context.Context, c kubernetes.Interface, p *plan.Plan) error {
	return c.CoreV1().PersistentVolumeClaims("shop").Delete(ctx, p.Name, metav1.DeleteOptions{})
}

// Swap hands different plans to two functions.
func Swap(ctx context.Context, c kubernetes.Interface, old, p *plan.Plan) error {
	if err := CleanPod(ctx, c, old); err != nil {
		return err
	}
	return swapQuota(ctx, c, p)
}

func swapQuota(ctx context.Context, c kubernetes.Interface, p *plan.Plan) error {
	return c.CoreV1().Endpoints("shop").Delete(ctx, p.Name, metav1.DeleteOptions{})
}
