// Package backend has storage that stores objects in services and databases.
package backend

import (
	"context"
	"database/sql"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/dryrun"
)

type service interface {
	GetRule(ctx context.Context, name string) (runtime.Object, error)
	CreateRule(ctx context.Context, rule runtime.Object) (runtime.Object, error)
	UpdateRule(ctx context.Context, rule runtime.Object) error
	DeleteRule(ctx context.Context, name string) error
	CreateToken(ctx context.Context, name string) (string, error)
}

type blank struct{ rules service }

func (s *blank) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) { // want `^Create ignores its options, so a dry run calls rules.CreateRule; return the object first when dryrun.IsDryRun says so$`
	return s.rules.CreateRule(ctx, obj)
}

func (s *blank) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, _ rest.ValidateObjectFunc, _ rest.ValidateObjectUpdateFunc, force bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) { // want `Update ignores its options, so a dry run calls rules.UpdateRule; return the object first when dryrun.IsDryRun\(options.DryRun\)`
	obj, err := info.UpdatedObject(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	return obj, false, s.rules.UpdateRule(ctx, obj)
}

func (s *blank) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) { // want `Delete ignores its options, so a dry run calls rules.DeleteRule \(in remove\);`
	return nil, true, s.remove(ctx, name)
}

func (s *blank) remove(ctx context.Context, name string) error { return s.rules.DeleteRule(ctx, name) }

func (s *blank) DeleteCollection(ctx context.Context, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions, list *internalversion.ListOptions) (runtime.Object, error) {
	return nil, errors.NewMethodNotSupported(schema.GroupResource{Resource: "rules"}, "delete")
}

// careful checks for the dry run in several ways.
type careful struct{ rules service }

func (s *careful) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	if len(options.DryRun) > 0 {
		return obj, nil
	}
	return s.rules.CreateRule(ctx, obj)
}

func (s *careful) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	if options == nil {
		options = &metav1.DeleteOptions{}
	}
	if !dryrun.IsDryRun(options.DryRun) {
		return nil, true, s.rules.DeleteRule(ctx, name)
	}
	return nil, true, nil
}

func (s *careful) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, _ rest.ValidateObjectFunc, _ rest.ValidateObjectUpdateFunc, force bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	save := func() error {
		if len(options.DryRun) > 0 {
			return nil
		}
		return s.rules.UpdateRule(ctx, nil)
	}
	return nil, false, save()
}

// partly reads only other options.
type partly struct{ rules service }

func (s *partly) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) { // want `Delete ignores the DryRun of its options, so a dry run calls rules.DeleteRule`
	if options != nil && options.Preconditions != nil && options.Preconditions.UID != nil {
		return nil, false, errors.NewConflict(schema.GroupResource{}, name, nil)
	}
	return nil, true, s.rules.DeleteRule(ctx, name)
}

// hands passes its options to another function.
type hands struct{ rules service }

func (s *hands) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	if skip(options) {
		return nil, true, nil
	}
	return nil, true, s.rules.DeleteRule(ctx, name)
}

func skip(options *metav1.DeleteOptions) bool { return len(options.DryRun) > 0 }

// named is a rest.NamedCreater.
type named struct{ rules service }

func (s *named) Create(ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) { // want `Create ignores its options, so a dry run calls rules.CreateRule`
	return s.rules.CreateRule(ctx, obj)
}

// virtual creates answers and stores nothing.
type virtual struct{ rules service }

func (s *virtual) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	if _, err := s.rules.GetRule(ctx, "x"); err != nil {
		return nil, err
	}
	_, err := s.rules.CreateToken(ctx, "x")
	return obj, err
}

// memory stores data only in memory, and calls no service.
type memory struct {
	cache ruleCache
	last  runtime.Object
}

type ruleCache interface {
	Create(obj runtime.Object) error
}

func (s *memory) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	s.last = obj
	return obj, s.cache.Create(obj)
}

// database runs SQL.
type database struct{ db *sql.DB }

func (s *database) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) { // want `Create ignores its options, so a dry run runs SQL INSERT;`
	_, err := s.db.ExecContext(ctx, "INSERT INTO rules VALUES ($1)", obj)
	return obj, err
}

func (s *database) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, _ *metav1.DeleteOptions) (runtime.Object, bool, error) {
	_, err := s.db.ExecContext(ctx, "SELECT pg_notify('rules', $1)", name)
	return nil, true, err
}

// files has a backend whose methods have no context.
type files struct{ disk disk }

type disk interface {
	Save(name string, data []byte) error
	SetLevel(level int) error
	Name() string
}

func (s *files) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) { // want `Create ignores its options, so a dry run calls disk.Save`
	return obj, s.disk.Save("x", nil)
}

func (s *files) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, _ *metav1.DeleteOptions) (runtime.Object, bool, error) {
	return nil, true, s.disk.SetLevel(1)
}

// other has methods with these names that are not methods of storage.
type other struct{ rules service }

func (s *other) Create(ctx context.Context, obj runtime.Object, options *metav1.CreateOptions) error {
	_, err := s.rules.CreateRule(ctx, obj)
	return err
}

// collector receives reports. Its method has no context.
type collector interface {
	UpdateStatus(status runtime.Object) error
}

type reports struct{ collector collector }

func (s *reports) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return obj, s.collector.UpdateStatus(obj)
}
