package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// loop is a real controller: a manager of controller-runtime with one
// controller that watches objects of a kind.
type loop struct {
	play   *play
	cancel context.CancelFunc
	ended  chan struct{}
	client client.Client

	mu sync.Mutex
	// seen has the resource version of each object in its last reconciliation,
	// from the cache or from the response to the program's own write; "" if the
	// object did not exist.
	seen map[string]string
	// last is the error of the last reconciliation that failed.
	last error
	// asleep is set while the program does not run. It then reconciles no
	// objects.
	asleep bool
}

// controller starts a controller for objects like t. kind is their Go type in
// the cache; nil for unstructured objects. reconcile is called for each change
// of an object. It gets the object from the cache, or nil if the object does
// not exist.
func (a *actor) controller(t *thing, kind client.Object, reconcile func(ctx context.Context, c client.Client, o client.Object) error) *loop {
	if kind == nil {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(schema.GroupVersionKind{Group: t.group, Version: t.version, Kind: t.object.text("kind")})
		kind = u
	}
	ctx, cancel := context.WithCancel(a.play.ctx)
	l := &loop{play: a.play, cancel: cancel, ended: make(chan struct{}), seen: map[string]string{}}
	ctrl.SetLogger(logr.Discard())
	options := ctrl.Options{Metrics: server.Options{BindAddress: "0"}, Controller: config.Controller{SkipNameValidation: ptr(true)}, Logger: logr.Discard()}
	if t.ns != "" {
		options.Cache = cache.Options{DefaultNamespaces: map[string]cache.Config{t.ns: {}}}
	}
	options.Client = client.Options{Cache: &client.CacheOptions{Unstructured: true}}
	manager, err := ctrl.NewManager(a.config(), options)
	if err != nil {
		a.play.fail("%v", err)
	}
	l.client = manager.GetClient()
	err = ctrl.NewControllerManagedBy(manager).Named(a.name()).For(kind).Complete(reconcileFunc(func(ctx context.Context, r ctrl.Request) (ctrl.Result, error) {
		l.mu.Lock()
		asleep := l.asleep
		l.mu.Unlock()
		if asleep {
			return ctrl.Result{}, nil
		}
		o := kind.DeepCopyObject().(client.Object)
		if err := l.client.Get(ctx, r.NamespacedName, o); err != nil {
			if client.IgnoreNotFound(err) != nil {
				return ctrl.Result{}, err
			}
			o = nil
		}
		version := ""
		if o != nil {
			version = o.GetResourceVersion()
		}
		err := reconcile(ctx, l.client, o)
		if o != nil { // an own write causes no further event if the client keeps its response
			version = o.GetResourceVersion()
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.last = err; err == nil {
			l.seen[r.Name] = version
		}
		return ctrl.Result{}, err
	}))
	if err != nil {
		a.play.fail("%v", err)
	}
	go func() {
		defer close(l.ended)
		_ = manager.Start(ctx)
	}()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		a.play.fail("%s: no cache", a.user)
	}
	a.play.loops = append(a.play.loops, l)
	return l
}

type reconcileFunc func(ctx context.Context, r ctrl.Request) (ctrl.Result, error)

func (f reconcileFunc) Reconcile(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
	return f(ctx, r)
}

func ptr[T any](v T) *T { return &v }

// settle waits until all controllers have reconciled the present state of a
// thing.
func (p *play) settle(t *thing) {
	deadline := time.Now().Add(20 * time.Second)
	for calm := 0; calm < 2; {
		code, data, err := p.stage.ask(http.MethodGet, t.path(), "")
		if err != nil {
			p.fail("%v", err)
		}
		var o struct {
			Metadata struct{ ResourceVersion string }
		}
		if code == http.StatusOK {
			if err := json.Unmarshal(data, &o); err != nil {
				p.fail("%v", err)
			}
		}
		calm++
		for _, l := range p.loops {
			l.mu.Lock()
			if seen, found := l.seen[t.id]; !l.asleep && (!found || seen != o.Metadata.ResourceVersion) {
				calm = 0
			}
			l.mu.Unlock()
		}
		if time.Now().After(deadline) {
			p.fail("%s at %q does not settle: %s", t.id, o.Metadata.ResourceVersion, p.states())
		}
		time.Sleep(8 * time.Millisecond)
	}
}

func (p *play) stopLoops() {
	for _, l := range p.loops {
		l.cancel()
		<-l.ended
	}
	p.loops = nil
}

// states describes which resource versions controllers have seen, for errors.
func (p *play) states() string {
	text := ""
	for _, l := range p.loops {
		l.mu.Lock()
		text += fmt.Sprintf("%v %v;", l.seen, l.last)
		l.mu.Unlock()
	}
	return text
}
