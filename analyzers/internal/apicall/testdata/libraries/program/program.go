package program

import (
	"context"

	v1 "example.org/helper/api/core/v1"
	"example.org/helper/controllers"
	"example.org/helper/install"
	"example.org/helper/manifest"
	"example.org/helper/patch"
	"example.org/helper/release"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client  client.Client
	patcher *patch.Patcher
}

func newReconciler(c client.Client) *reconciler {
	signed := client.WithFieldOwner(c, "web")
	return &reconciler{client: c, patcher: patch.New(signed)}
}

func (r *reconciler) reconcile(ctx context.Context, pod *corev1.Pod) error {
	p := patch.New(client.WithFieldOwner(r.client, "pods"))
	if err := p.Patch(ctx, pod); err != nil { // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=set=pods\(client\) force=unset dryrun=unknown validation=unknown own fm=unset force=unset dryrun=unset client=client`
		return err
	}
	if err := p.Patch(ctx, pod, client.FieldOwner("mine")); err != nil { // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=set=mine force=unset dryrun=unknown validation=unknown own fm=set=mine force=unset dryrun=unset client=client`
		return err
	}
	if err := p.Replace(ctx, pod); err != nil { // want `wrapper update v1/Pod fm=set=pods\(client\) force=unset dryrun=unknown validation=unknown own fm=unset force=unset dryrun=unset client=client`
		return err
	}
	if err := r.patcher.Replace(ctx, pod); err != nil { // want `wrapper update v1/Pod fm=set=web\(client\) force=unset dryrun=unknown validation=unknown own fm=unset force=unset dryrun=unset client=c`
		return err
	}
	if err := patch.NewOwned(r.client, "me").Signed(ctx, pod); err != nil { // want `wrapper update v1/Pod fm=set force=unset dryrun=unknown validation=unknown own fm=set force=unset dryrun=unset client=client`
		return err
	}
	if err := patch.Save(ctx, r.client, pod); err != nil { // want `wrapper update v1/Pod fm=set=saver force=unset dryrun=unknown validation=unknown own fm=set=saver force=unset dryrun=unset client=client`
		return err
	}
	patch.Register(r.client, pod)
	if err := patch.Load(ctx, r.client, client.ObjectKeyFromObject(pod), pod); err != nil {
		return err
	}
	return patch.SaveStatus(ctx, r.client, pod) // want `wrapper update sub=status v1/Pod fm=unknown force=unset dryrun=unknown validation=unknown own fm=unset force=unset dryrun=unset client=client`
}

func run(ctx context.Context, c kubernetes.Interface, s *corev1.Secret, dryRun bool) error {
	d := install.NewDriver(c)
	if err := d.Store(ctx, s); err != nil { // want `wrapper create v1/Secret fm=unset force=unset dryrun=unset validation=unset own fm=unset force=unset dryrun=unset client=d outside`
		return err
	}
	plain := install.New(d)
	plain.Label("x")
	if err := plain.Run(ctx, s); err != nil { // want `wrapper create v1/Secret fm=unset force=unset dryrun=unset validation=unset own fm=unset force=unset dryrun=unset client=plain outside`
		return err
	}
	forwarded := install.New(d)
	forwarded.DryRun = dryRun
	if err := forwarded.Run(ctx, s); err != nil { // want `wrapper create v1/Secret fm=unset force=unset dryrun=set:dryRun\? validation=unset own fm=unset force=unset dryrun=set:dryRun\? client=forwarded outside`
		return err
	}
	always := install.New(d)
	always.DryRunStrategy = "server"
	if err := always.Run(ctx, s); err != nil { // want `wrapper create v1/Secret fm=unset force=unset dryrun=set=\[All\] validation=unset own fm=unset force=unset dryrun=set=\[All\] client=always outside`
		return err
	}
	given := func(i *install.Install) error {
		return i.Run(ctx, s) // want `wrapper create v1/Secret fm=unset force=unset dryrun=passed:i validation=unset own fm=unset force=unset dryrun=passed:i client=i outside`
	}
	return given(always)
}

type pods interface {
	controllers.Interface[*corev1.Pod]
}

func generic(c pods, pod *corev1.Pod) error {
	if _, err := c.Get("web"); err != nil {
		return err
	}
	_, err := c.Update(pod) // want `wrapper update v1/Pod fm=unset force=unset dryrun=unset validation=unset own fm=unset force=unset dryrun=unset client=c outside`
	return err
}

func elsewhere(s controllers.Store, pod *corev1.Pod) error {
	if err := s.Get(pod); err != nil {
		return err
	}
	return s.Update(pod)
}

func optional(ctx context.Context, c client.Client, pod *corev1.Pod, given []patch.Option, sign bool) error {
	p := patch.New(c)
	if err := p.Optional(ctx, pod); err != nil { // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=unknown force=unset dryrun=unknown validation=unknown own fm=unset force=unset dryrun=unset client=c`
		return err
	}
	if err := p.Optional(ctx, pod, patch.Strict{}); err != nil { // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=unknown force=unset dryrun=unknown validation=unknown own fm=unset force=unset dryrun=unset client=c`
		return err
	}
	if err := p.Optional(ctx, pod, patch.Strict{}, patch.WithFieldOwner("web")); err != nil { // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=set force=unset dryrun=unknown validation=unknown own fm=set force=unset dryrun=unset client=c`
		return err
	}
	if err := p.Optional(ctx, pod, given...); err != nil { // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=set\? force=unset dryrun=unknown validation=unknown own fm=set\? force=unset dryrun=unset client=c`
		return err
	}
	opts := []patch.Option{patch.Strict{}}
	if sign {
		opts = append(opts, patch.WithFieldOwner("web"))
	}
	if err := p.Optional(ctx, pod, opts...); err != nil { // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=set\? force=unset dryrun=unknown validation=unknown own fm=set\? force=unset dryrun=unset client=c`
		return err
	}
	s := patch.NewSerial(c)
	if err := s.Patch(ctx, pod); err != nil { // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=unknown force=unset dryrun=unknown validation=unknown own fm=unset force=unset dryrun=unset client=c`
		return err
	}
	if err := s.Half(ctx, pod); err != nil { // want `wrapper update v1/Pod fm=set=half\? force=unset dryrun=unknown validation=unknown own fm=set=half\? force=unset dryrun=unset client=c`
		return err
	}
	return s.Patch(ctx, pod, patch.WithFieldOwner("web")) // want `wrapper patch patch=application/merge-patch\+json v1/Pod fm=set force=unset dryrun=unknown validation=unknown own fm=set force=unset dryrun=unset client=c`
}

func manifests(m manifest.Manifest, cache manifest.Cache) error {
	if err := m.Apply(); err != nil { // want `wrapper createorupdate fm=unknown force=unset dryrun=unknown validation=unknown own fm=unknown force=unset dryrun=unknown client=m outside`
		return err
	}
	if err := m.Read(); err != nil {
		return err
	}
	if err := manifest.Keep(cache, m); err != nil {
		return err
	}
	return m.Delete() // want `wrapper delete fm=unset force=unset dryrun=unknown validation=unset own fm=unset force=unset dryrun=unknown client=m outside`
}

func releases(ctx context.Context, c kubernetes.Interface, s *corev1.Secret) error {
	if err := (&release.Uninstall{Client: c}).Run(ctx, s); err != nil { // want `wrapper delete v1/Secret fm=unset force=unknown dryrun=unset validation=unset own fm=unset force=unknown dryrun=unset client=c`
		return err
	}
	if err := (&release.Rollback{Client: c}).Run(ctx, s); err != nil { // want `wrapper update v1/Secret fm=unset force=unknown dryrun=unset validation=unset own fm=unset force=unknown dryrun=unset client=c`
		return err
	}
	if err := release.RemoveFinalizer(ctx, c, s); err != nil { // want `wrapper update v1/Secret fm=unset force=unset dryrun=unset validation=unset own fm=unset force=unset dryrun=unset client=c`
		return err
	}
	if err := release.Cordon(ctx, c, s); err != nil { // want `wrapper update v1/Secret fm=unset force=unset dryrun=unset validation=unset own fm=unset force=unset dryrun=unset client=c`
		return err
	}
	if err := release.Replace(ctx, c, s, len(s.Data) > 0); err != nil { // want `wrapper update v1/Secret fm=unset force=unset dryrun=set\? validation=unset own fm=unset force=unset dryrun=set\? client=c`
		return err
	}
	return release.InstallAll(ctx, c, s) // want `wrapper create v1/Secret fm=unset force=unknown dryrun=unset validation=unset own fm=unset force=unknown dryrun=unset client=c`
}

func generated(ctx context.Context, c client.Client, s *corev1.Secret) error {
	secrets := v1.NewSecretClient(c)
	if _, err := secrets.GetSecret(ctx, client.ObjectKeyFromObject(s)); err != nil {
		return err
	}
	return secrets.DeleteSecret(ctx, s) // want `wrapper delete v1/Secret fm=unset force=unset dryrun=unknown validation=unset own fm=unset force=unset dryrun=unset client=secrets`
}

// This interface of the program has a method that a library's type implements.
type remover interface {
	Run(ctx context.Context, s *corev1.Secret) error
}

type tool struct{ remover remover }

func newTool(c kubernetes.Interface) *tool { return &tool{remover: &release.Uninstall{Client: c}} }

func (t *tool) remove(ctx context.Context, s *corev1.Secret) error {
	return t.remover.Run(ctx, s) // want `wrapper delete v1/Secret fm=unset force=unknown dryrun=unset`
}

// Two types implement this interface.
type stepper interface {
	Step(ctx context.Context, s *corev1.Secret) error
}

func steps(c kubernetes.Interface, back bool) stepper {
	if back {
		return &release.Back{Client: c}
	}
	return &release.Forth{Client: c}
}

func step(ctx context.Context, s *corev1.Secret, st stepper) error { return st.Step(ctx, s) }
