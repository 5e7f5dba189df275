// Command elements runs the elements of slices. Only some of them write.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/elements/plain"
	"example.org/clients/dryrundesigns/elements/stages"
)

// Check is a step of an installation.
type Check interface {
	Name() string
	Run(ctx context.Context) error
}

type version struct{ name string }

func (v version) Name() string                  { return v.name }
func (v version) Run(ctx context.Context) error { return nil }

// info looks like a check, but writes.
type info struct{ c client.Client }

func (i info) Name() string { return "info" }
func (i info) Run(ctx context.Context) error {
	return i.c.Create(ctx, &corev1.ConfigMap{}) // want "dry run creates a ConfigMap"
}

// namespace is left out of a dry run.
type namespace struct{ c client.Client }

func (n namespace) Name() string { return "namespace" }
func (n namespace) Run(ctx context.Context) error {
	return n.c.Create(ctx, &corev1.Namespace{})
}

// taint is the element of a list that is used only without a dry run.
type taint struct{ c client.Client }

func (t taint) Name() string { return "taint" }
func (t taint) Run(ctx context.Context) error {
	return t.c.Update(ctx, &corev1.Node{})
}

// account gets the dry run.
type account struct {
	c      client.Client
	dryRun bool
}

func (a account) Name() string { return "account" }
func (a account) Run(ctx context.Context) error {
	if a.dryRun {
		return nil
	}
	return a.c.Create(ctx, &corev1.ServiceAccount{})
}

// store is one of two types. A name selects it.
type store struct{ c client.Client }

func (s store) Name() string { return "store" }
func (s store) Run(ctx context.Context) error {
	return s.c.Create(ctx, &corev1.Secret{})
}

type options struct {
	dryRun bool
	name   string
	c      client.Client
}

func main() {
	o := &options{}
	flag.BoolVar(&o.dryRun, "dry-run", false, "change nothing")
	flag.StringVar(&o.name, "output", "version", "where the result is stored")
	flag.Parse()
	ctx := context.Background()
	if err := o.prepare(ctx); err != nil {
		panic(err)
	}
	if err := o.install(ctx); err != nil {
		panic(err)
	}
	if err := o.decorate(ctx); err != nil {
		panic(err)
	}
	if err := o.named(ctx); err != nil {
		panic(err)
	}
}

// prepare runs its checks in a dry run, too.
func (o *options) prepare(ctx context.Context) error {
	checks := []Check{version{"client"}, version{"server"}}
	if o.name != "" {
		checks = append(checks, info{o.c})
	}
	if !o.dryRun {
		checks = append(checks, namespace{o.c})
	}
	checks = append(checks, account{o.c, o.dryRun})
	for _, c := range checks {
		if err := c.Run(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) install(ctx context.Context) error {
	writers := [...]Check{version{"result"}, store{o.c}}
	if err := writers[0].Run(ctx); err != nil {
		return err
	}
	list := []stages.Stage{stages.Plan{}, stages.Labels{C: o.c}}
	if err := stages.Prepare(ctx, list...); err != nil { // want "the call of Prepare ignores o.dryRun .*, so a dry run updates a Node"
		return err
	}
	if err := stages.Names(stages.Plan{}, stages.Labels{C: o.c}); err != nil {
		return err
	}
	if err := stages.Prepare(ctx, stages.Plan{}); err != nil {
		return err
	}
	if err := plain.Run([]plain.Task{secret{o.c}}); err != nil { // want "the call of Run ignores o.dryRun .*, so a dry run creates a Secret"
		return err
	}
	if err := plain.Undo([]plain.Undoable{secret{o.c}}); err != nil {
		return err
	}
	if o.dryRun {
		return nil
	}
	for _, c := range []Check{taint{o.c}} {
		if err := c.Run(ctx); err != nil {
			return err
		}
	}
	return stages.Prepare(ctx, list...)
}

// label is built with a client that the dry run decides.
type label struct{ c client.Client }

func (l label) Name() string { return "label" }
func (l label) Run(ctx context.Context) error {
	return l.c.Update(ctx, &corev1.Node{})
}

func newLabel(c client.Client, dryRun bool) Check {
	if dryRun {
		c = client.NewDryRunClient(c)
	}
	return label{c}
}

// decorate is called with and without a dry run.
func (o *options) decorate(ctx context.Context) error {
	c := o.c
	if o.dryRun {
		c = client.NewDryRunClient(c)
	}
	checks := []Check{version{"client"}}
	checks = append(checks, version{"server"})
	checks = append(checks, label{c}, newLabel(o.c, o.dryRun))
	for _, c := range checks {
		if err := c.Run(ctx); err != nil {
			return err
		}
	}
	list := []stages.Stage{stages.Plan{}}
	list = append(list, stages.Plan{})
	list = append(list, stages.Plan{}, stages.Marks{C: c}, stages.NewTaints(o.c, o.dryRun))
	if err := stages.Prepare(ctx, list...); err != nil {
		return err
	}
	if o.dryRun {
		return nil
	}
	return o.c.Delete(ctx, &corev1.Pod{})
}

// secret is a task for packages that do not know Kubernetes.
type secret struct{ c client.Client }

func (s secret) Name() string { return "secret" }
func (s secret) Run() []error {
	return []error{s.c.Create(context.Background(), &corev1.Secret{})}
}
func (s secret) Undo() error { return s.c.Delete(context.Background(), &corev1.Secret{}) }

// webhook is in a map.
type webhook struct{ c client.Client }

func (w webhook) Name() string { return "webhook" }
func (w webhook) Run(ctx context.Context) error {
	return w.c.Create(ctx, &corev1.Service{}) // want "dry run creates a Service"
}

// volume is put into the map only without a dry run.
type volume struct{ c client.Client }

func (v volume) Name() string { return "volume" }
func (v volume) Run(ctx context.Context) error {
	return v.c.Create(ctx, &corev1.Node{})
}

// quota is looked up in a map.
type quota struct{ c client.Client }

func (q quota) Name() string { return "quota" }
func (q quota) Run(ctx context.Context) error {
	return q.c.Create(ctx, &corev1.Endpoints{})
}

func (o *options) named(ctx context.Context) error {
	checks := map[string]Check{"version": version{"client"}, "webhook": webhook{o.c}}
	if !o.dryRun {
		checks["volume"] = volume{o.c}
	}
	for _, c := range checks {
		if err := c.Run(ctx); err != nil {
			return err
		}
	}
	others := map[string]Check{"version": version{"server"}, "quota": quota{o.c}}
	if err := others[o.name].Run(ctx); err != nil {
		return err
	}
	if o.dryRun {
		return nil
	}
	return o.c.Delete(ctx, &corev1.Pod{})
}
