// Package clients creates clients and wraps them.
package clients

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func Built(ctx context.Context, cfg *rest.Config, pod *corev1.Pod, dry bool, name string) {
	plain, _ := client.New(cfg, client.Options{})                                            // want `^build runtime fm=unset dryrun=unset validation=unset ua=passed:cfg`
	plain.Update(ctx, pod)                                                                   // want `fm=unset force=unset dryrun=unset validation=unset .*client=plain$`
	owned, _ := client.New(cfg, client.Options{FieldOwner: "me", FieldValidation: "Strict"}) // want `^build runtime fm=set=me\(client\) dryrun=unset validation=set=Strict\(client\)`
	owned.Update(ctx, pod)                                                                   // want `fm=set=me\(client\) force=unset dryrun=unset validation=set=Strict\(client\)`
	owned.Update(ctx, pod, client.FieldOwner("call"))                                        // want `fm=set=call force=unset`
	owned.Delete(ctx, pod)                                                                   // want `fm=unset force=unset`
	yes := true
	dryClient, _ := client.New(cfg, client.Options{DryRun: &yes})               // want `^build runtime fm=unset dryrun=set=\[All\]\(client\)`
	dryClient.Update(ctx, pod)                                                  // want `dryrun=set=\[All\]\(client\)`
	maybe, _ := client.New(cfg, client.Options{DryRun: &dry, FieldOwner: name}) // want `^build runtime fm=set:name\(client\) dryrun=set:dry\?\(client\)`
	maybe.Update(ctx, pod)                                                      // want `fm=set:name\(client\) .*dryrun=set:dry\?\(client\)`
	wrapped := client.WithFieldOwner(client.NewDryRunClient(plain), "outer")
	wrapped.Update(ctx, pod)                                          // want `fm=set=outer\(client\) force=unset dryrun=set=\[All\]\(client\)`
	client.NewNamespacedClient(owned, "ns").Status().Update(ctx, pod) // want `sub=status v1/Pod fm=set=me\(client\)`
	either := plain
	if dry {
		either = client.NewDryRunClient(plain)
	}
	either.Update(ctx, pod) // want `dryrun=set=\[All\]\?\(client\)`
}

func Managers(ctx context.Context, cfg *rest.Config, pod *corev1.Pod, given manager.Manager) {
	mgr, _ := ctrl.NewManager(cfg, ctrl.Options{})                                          // want `^build runtime fm=unset dryrun=unset`
	mgr.GetClient().Update(ctx, pod)                                                        // want `fm=unset force=unset dryrun=unset`
	owned, _ := manager.New(cfg, manager.Options{Client: client.Options{FieldOwner: "me"}}) // want `^build runtime fm=set=me\(client\)`
	owned.GetClient().Update(ctx, pod)                                                      // want `fm=set=me\(client\)`
	given.GetClient().Update(ctx, pod)                                                      // want `fm=unknown .*client=given outside`
}

func agents(kubeconfig string) {
	cfg := ctrl.GetConfigOrDie()
	kubernetes.NewForConfig(cfg)                                           // want `^build typed .*ua=unset$`
	kubernetes.NewForConfig(rest.AddUserAgent(rest.CopyConfig(cfg), "me")) // want `^build typed .*ua=set=me$`
	cfg.UserAgent = "mine"
	dynamic.NewForConfigOrDie(cfg) // want `^build dynamic .*ua=set=mine$`
	in, _ := rest.InClusterConfig()
	rest.AddUserAgent(in, "added")
	kubernetes.NewForConfigOrDie(in)                        // want `^build typed .*ua=set=added$`
	kubernetes.NewForConfig(&rest.Config{UserAgent: "lit"}) // want `^build typed .*ua=set=lit$`
	kubernetes.NewForConfig(&rest.Config{})                 // want `^build typed .*ua=unset$`
}

type holder struct {
	kube   kubernetes.Interface
	client client.Client
	Public client.Client
	group  struct{ inner client.Client }
}

func newHolder(cfg *rest.Config) *holder {
	h := &holder{kube: kubernetes.NewForConfigOrDie(cfg)}       // want `^build typed`
	c, _ := client.New(cfg, client.Options{FieldOwner: "held"}) // want `^build runtime`
	h.client = c
	h.group.inner = client.NewDryRunClient(c)
	return h
}

func (h *holder) write(ctx context.Context, pod *corev1.Pod) {
	h.kube.CoreV1().Pods("").Create(ctx, pod, metav1.CreateOptions{}) // want `fm=unset .*client=kube$`
	h.client.Update(ctx, pod)                                         // want `fm=set=held\(client\) .*client=client$`
	h.Public.Update(ctx, pod)                                         // want `fm=unknown .*own fm=unset .*client=Public outside$`
	h.group.inner.Update(ctx, pod)                                    // want `fm=set=held\(client\) force=unset dryrun=set=\[All\]\(client\) .*client=inner$`
	h.helper(ctx, h.client, pod)
	func() {
		h.client.Update(ctx, pod) // want `fm=set=held\(client\) .*client=client$`
	}()
}

func (h *holder) helper(ctx context.Context, c client.Client, pod *corev1.Pod) {
	c.Update(ctx, pod) // want `fm=set=held\(client\) .*client=client$`
}

func Exported(ctx context.Context, c client.Client, pod *corev1.Pod) {
	c.Update(ctx, pod) // want `fm=unknown .*client=c outside$`
}

type nested struct{ client client.Client }

// NewNested gets the client that it uses.
func NewNested(c client.Client) *nested { return &nested{client: c} }

func (n *nested) Reconcile(ctx context.Context, pods []*corev1.Pod) error {
	n.client.Update(ctx, pods[0]) // want `fm=unknown .*client=client outside$`
	func() {
		defer func() {
			n.client.Update(ctx, pods[0]) // want `fm=unknown .*client=client outside$`
		}()
	}()
	for _, pod := range pods {
		if err := n.client.Update(ctx, pod); err != nil { // want `fm=unknown .*client=client outside$`
			return err
		}
	}
	return nil
}
