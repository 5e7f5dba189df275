// Command readers builds clients, each for what is beside it: only those that
// get to a write are told.
package main

import (
	"context"

	"example.org/clients/fieldmanager/reporter"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	ctx = context.Background()
	pod = &corev1.Pod{}
)

func main() {}

// A method that reads, and one that writes through another field.
func getOnly() error {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{})
	if err != nil {
		return err
	}
	return reporter.New(c).Get(ctx, pod)
}

func report() error {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `one write through the client built here names no field manager`
	if err != nil {
		return err
	}
	return reporter.New(c).Report(ctx, pod)
}

// Steps that are chosen here.
func wait() error {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{})
	if err != nil {
		return err
	}
	return reporter.RunAll(ctx, c, pod, &reporter.Wait{})
}

func install() error {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `one write through the client built here names no field manager`
	if err != nil {
		return err
	}
	return reporter.RunAll(ctx, c, pod, &reporter.Wait{}, &reporter.Install{})
}

// An interface that hides a type which writes.
func loadOnly() error {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{})
	if err != nil {
		return err
	}
	return reporter.NewStore(c).Load(ctx, pod)
}

func save() error {
	c, err := client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `one write through the client built here names no field manager`
	if err != nil {
		return err
	}
	return reporter.NewStore(c).Save(ctx, pod)
}

// A client that takes the place of another one, which is not from here and may
// have a name.
func chosen(other client.Client, remote bool) error {
	c := other
	if remote {
		var err error
		if c, err = client.New(ctrl.GetConfigOrDie(), client.Options{}); err != nil {
			return err
		}
	}
	return reporter.Chosen(ctx, c, pod)
}

type getter struct{ client client.Client }

func (g *getter) get() error { return g.client.Get(ctx, client.ObjectKeyFromObject(pod), pod) }

// The same, for a reader; the manager's client writes elsewhere.
func merged(m ctrl.Manager, remote bool) (func() error, error) {
	var c client.Client
	if remote {
		var err error
		if c, err = client.New(ctrl.GetConfigOrDie(), client.Options{}); err != nil {
			return nil, err
		}
	} else {
		c = m.GetClient()
	}
	g := &getter{client: c}
	if err := reporter.Chosen(ctx, m.GetClient(), pod); err != nil {
		return nil, err
	}
	return g.get, nil
}

// A client for reading, beside the one of the receiver.
type server struct{ clientset kubernetes.Interface }

func (s *server) list(remote bool, cfg *rest.Config) error {
	var cs kubernetes.Interface
	if !remote {
		cs = s.clientset
	} else {
		var err error
		if cs, err = kubernetes.NewForConfig(&rest.Config{Host: cfg.Host}); err != nil {
			return err
		}
	}
	_, err := cs.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	return err
}

func (s *server) update() error {
	_, err := s.clientset.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

// Clients of one manager's configuration are one finding.
func run() error {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{}) // want `2 writes through the clients built here name no field manager`
	if err != nil {
		return err
	}
	c, err := client.New(mgr.GetConfig(), client.Options{})
	if err != nil {
		return err
	}
	if err := c.Update(ctx, pod); err != nil {
		return err
	}
	return mgr.GetClient().Update(ctx, pod)
}

// A rest.RESTClient has no user agent of its own.
func request(host string) error {
	c, err := rest.RESTClientFor(&rest.Config{Host: host}) // want `so the server signs with "Go-http-client", Go's own user agent`
	if err != nil {
		return err
	}
	return c.Post().Resource("pods").Body(pod).Do(ctx).Error()
}
