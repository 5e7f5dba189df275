// Package besides has storage that passes its options to other storage, and also
// changes other data.
package besides

import (
	"context"
	"os"

	"example.org/clients/storagedryrun/besides/bind"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/dryrun"
	"k8s.io/client-go/kubernetes"
)

type groups struct {
	*genericregistry.Store
	cs    kubernetes.Interface
	owned bool
}

func (s *groups) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) { // want `Create passes its options on, but a dry run creates a ConfigMap \(in Owner\) without them; skip that when dryrun.IsDryRun\(options.DryRun\)`
	made, err := s.Store.Create(ctx, obj, validate, options)
	if err != nil {
		return nil, err
	}
	if s.owned {
		if err := bind.Owner(ctx, s.cs, "group"); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func (s *groups) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) { // want `Delete passes its options on, but a dry run changes files with os.Remove \(in forget\) without them; skip that when dryrun.IsDryRun\(options.DryRun\)`
	if options != nil && options.Preconditions == nil {
		options.Preconditions = &metav1.Preconditions{}
	}
	if err := s.forget(name); err != nil {
		return nil, false, err
	}
	return s.Store.Delete(ctx, name, validate, options)
}

func (s *groups) forget(name string) error { return os.Remove("/var/lib/groups/" + name) }

// DeleteCollection calls Delete, and changes nothing itself.
func (s *groups) DeleteCollection(ctx context.Context, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions, names ...string) (runtime.Object, error) {
	for _, name := range names {
		if _, _, err := s.Delete(ctx, name, validate, options); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

type careful struct {
	*genericregistry.Store
	cs   kubernetes.Interface
	real func(options *metav1.CreateOptions) bool
}

func (s *careful) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	made, err := s.Store.Create(ctx, obj, validate, options)
	if err != nil || dryrun.IsDryRun(options.DryRun) {
		return made, err
	}
	return made, bind.Owner(ctx, s.cs, "careful")
}

func (s *careful) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	gone, now, err := s.Store.Delete(ctx, name, validate, options)
	if err == nil && len(options.DryRun) == 0 {
		err = os.Remove("/var/lib/careful/" + name)
	}
	return gone, now, err
}

// asker calls another function that checks for the dry run.
type asker struct{ careful }

func (s *asker) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	if s.real(options) {
		if err := bind.Owner(ctx, s.cs, "asker"); err != nil {
			return nil, err
		}
	}
	return s.Store.Create(ctx, obj, validate, options)
}

// upsert creates a missing object with the same dry run.
type upsert struct{ store *genericregistry.Store }

func (s *upsert) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return s.store.Create(ctx, obj, validate, options)
}

func (s *upsert) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, force bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	if force {
		obj, err := info.UpdatedObject(ctx, nil)
		if err != nil {
			return nil, false, err
		}
		made, err := s.Create(ctx, obj, create, &metav1.CreateOptions{DryRun: options.DryRun})
		return made, true, err
	}
	return s.store.Update(ctx, name, info, create, update, force, options)
}
