// Command registered passes functions to libraries, tables and fields. It respects
// the dry run before it calls or passes them.
package main

import (
	"context"
	"flag"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	ctrl "sigs.k8s.io/controller-runtime"
)

type config struct {
	DryRun bool
	Wait   bool
}

func main() {
	var cfg config
	flag.BoolVar(&cfg.DryRun, "dry-run", false, "change nothing")
	flag.Parse()
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	var informer cache.SharedIndexInformer
	ctl := &controller{c: mgr.GetClient(), cfg: cfg}
	ctl.register(informer)
	ctl.runnables(mgr)
	ctl.steps(context.Background())
	newAPI(ctl, !cfg.DryRun).routes(http.NewServeMux())
	sink := mgr.GetClient()
	if cfg.DryRun {
		sink = quiet{sink}
	}
	(&service{c: sink}).run(context.Background())
}

type controller struct {
	c   client.Client
	cfg config
}

// register registers the handler that writes only outside dry runs.
func (ctl *controller) register(informer cache.SharedIndexInformer) {
	handlers := cache.ResourceEventHandlerFuncs{AddFunc: ctl.show}
	if !ctl.cfg.DryRun {
		handlers.DeleteFunc = ctl.remove
	}
	_, _ = informer.AddEventHandler(handlers)
}

func (ctl *controller) show(obj any) { println(obj) }

func (ctl *controller) remove(obj any) {
	_ = ctl.c.Delete(context.Background(), &corev1.Secret{})
}

// runnables adds a function that writes only outside dry runs.
func (ctl *controller) runnables(mgr manager.Manager) {
	if ctl.cfg.DryRun {
		return
	}
	_ = mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		return ctl.c.Delete(ctx, &corev1.Pod{})
	}))
}

type step struct {
	name string
	run  func(ctx context.Context) error
}

// steps prints the names of its steps in a dry run.
func (ctl *controller) steps(ctx context.Context) {
	for _, s := range []step{{"node", ctl.node}, {"pod", ctl.pod}} {
		if ctl.cfg.DryRun {
			println("would run", s.name)
			continue
		}
		_ = s.run(ctx)
	}
	table := []func(context.Context) error{ctl.node, ctl.pod}
	for _, f := range table {
		if !ctl.isDryRun() {
			_ = f(ctx)
		}
	}
}

func (ctl *controller) isDryRun() bool { return ctl.cfg.DryRun }

func (ctl *controller) node(ctx context.Context) error { return ctl.c.Update(ctx, &corev1.Node{}) }

func (ctl *controller) pod(ctx context.Context) error { return ctl.c.Update(ctx, &corev1.Pod{}) }

// api stores the opposite of the dry run under another name.
type api struct {
	ctl     *controller
	enabled bool
}

func newAPI(ctl *controller, enabled bool) *api { return &api{ctl: ctl, enabled: enabled} }

func (a *api) routes(mux *http.ServeMux) {
	mux.HandleFunc("/pods", a.pods)
	if a.enabled {
		mux.HandleFunc("/nodes", a.nodes)
	}
	mux.Handle("/all", a.guarded(a.nodes))
}

// guarded calls the handler only outside dry runs.
func (a *api) guarded(h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.enabled {
			h(w, r)
		}
	})
}

func (a *api) pods(w http.ResponseWriter, r *http.Request) {
	if !a.enabled {
		return
	}
	_ = a.ctl.c.Create(r.Context(), &corev1.Pod{})
}

func (a *api) nodes(w http.ResponseWriter, r *http.Request) {
	_ = a.ctl.c.Delete(r.Context(), &corev1.Node{})
}

// quiet replaces all methods for writes that the service calls.
type quiet struct{ client.Client }

func (q quiet) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	return nil
}

func (q quiet) Delete(ctx context.Context, obj client.Object, opts ...client.DeleteOption) error {
	return nil
}

type service struct{ c client.Client }

func (s *service) run(ctx context.Context) {
	_ = s.c.Create(ctx, &corev1.Pod{})
	_ = s.c.Delete(ctx, &corev1.Pod{})
	_ = s.c.Get(ctx, client.ObjectKey{}, &corev1.Pod{})
}
