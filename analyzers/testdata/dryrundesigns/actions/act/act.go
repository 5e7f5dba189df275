// Package act runs actions of other packages.
package act

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

// Action changes a node.
type Action interface {
	Do(ctx context.Context, node *corev1.Node) error
	Undo(ctx context.Context, node *corev1.Node) error
}

// Do runs the actions.
func Do(ctx context.Context, node *corev1.Node, actions []Action) error {
	for _, a := range actions {
		if err := a.Do(ctx, node); err != nil {
			return err
		}
	}
	return nil
}

// Undo runs the actions in reverse.
func Undo(ctx context.Context, node *corev1.Node, actions []Action) error {
	for i := len(actions) - 1; i >= 0; i-- {
		if err := actions[i].Undo(ctx, node); err != nil {
			return err
		}
	}
	return nil
}
