// Package early has storage that checks for the dry run too late.
package early

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/dryrun"
)

type backend interface {
	CreateRule(ctx context.Context, rule runtime.Object) (runtime.Object, error)
	UpdateRule(ctx context.Context, rule runtime.Object) (runtime.Object, error)
	DeleteRule(ctx context.Context, name string) error
}

type storage struct {
	rules backend
	http  *http.Client
}

func (s *storage) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, force bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) { // want `^Update checks the DryRun of its options too late, so a dry run calls rules.CreateRule; return the object first when dryrun.IsDryRun\(options.DryRun\)`
	obj, err := info.UpdatedObject(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	if force {
		obj, err = s.rules.CreateRule(ctx, obj)
		return obj, true, err
	}
	if dryrun.IsDryRun(options.DryRun) {
		return obj, false, nil
	}
	obj, err = s.rules.UpdateRule(ctx, obj)
	return obj, false, err
}

func (s *storage) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	known := map[string]bool{}
	if err := validate(ctx, obj); err != nil {
		return nil, err
	}
	if len(options.DryRun) > 0 {
		return obj, nil
	}
	if len(known) > 0 {
		return s.rules.UpdateRule(ctx, obj)
	}
	return s.rules.CreateRule(ctx, obj)
}

func (s *storage) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) { // want `^Delete checks the DryRun of its options too late, so a dry run sends an HTTP POST request with Client.Post \(in tell\)`
	if err := s.tell(name); err != nil {
		return nil, false, err
	}
	return nil, true, s.remove(ctx, name, options)
}

func (s *storage) tell(name string) error {
	_, err := s.http.Post("https://example.org/deleted", "text/plain", nil)
	return err
}

func (s *storage) remove(ctx context.Context, name string, options *metav1.DeleteOptions) error {
	if dryrun.IsDryRun(options.DryRun) {
		return nil
	}
	return s.rules.DeleteRule(ctx, name)
}

// generic embeds the generic store.
type generic struct{ *registry.Store }

func (g *generic) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) { // want `^Create replaces its options, so a dry run calls Store.Create; pass options on`
	_ = options.DryRun
	return g.Store.Create(ctx, obj, validate, &metav1.CreateOptions{})
}

func (g *generic) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	return g.Store.Delete(ctx, name, validate, &metav1.DeleteOptions{DryRun: options.DryRun})
}
