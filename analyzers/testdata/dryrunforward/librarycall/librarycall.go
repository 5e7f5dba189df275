// Package librarycall writes with functions of libraries.
package librarycall

import (
	"context"

	"github.com/fluxcd/pkg/ssa"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func Sync(ctx context.Context, m *ssa.ResourceManager, o *unstructured.Unstructured, dryRun bool) error {
	if _, err := m.Apply(ctx, o, ssa.ApplyOptions{}); err != nil { // want `the call of Apply ignores dryRun, so a dry run applies an object; skip the call or ask it for a dry run`
		return err
	}
	if dryRun {
		return nil
	}
	_, err := m.Apply(ctx, o, ssa.ApplyOptions{})
	return err
}
