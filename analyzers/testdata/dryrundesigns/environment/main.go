// Package main reads the dry run from the environment in several ways. Each reaper prints
// that it would delete a Pod, and then deletes the Pod.
package main

import (
	"context"
	"log"
	"os"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const variable = "DRY_RUN"

// settings are filled by a function that returns the value and an error.
type settings struct{ dryRun bool }

func dryRunWanted() (bool, error) {
	value, ok := os.LookupEnv(variable)
	if !ok {
		return false, nil
	}
	return strconv.ParseBool(value)
}

func load() (s settings, err error) {
	if s.dryRun, err = dryRunWanted(); err != nil {
		return s, err
	}
	return s, nil
}

type loaded struct {
	clients  *kubernetes.Clientset
	settings settings
}

func (l loaded) reap(ctx context.Context, name string) error {
	if l.settings.dryRun {
		log.Print("would delete ", name)
	}
	return l.clients.CoreV1().Pods("shop").Delete(ctx, name, metav1.DeleteOptions{}) // want `the write ignores .*DRY_RUN.*, so a dry run deletes a Pod`
}

// compared is filled from a comparison.
type compared struct {
	clients *kubernetes.Clientset
	dryRun  bool
}

func (c *compared) reap(ctx context.Context, name string) error {
	if c.dryRun {
		log.Print("would delete ", name)
	}
	return c.clients.CoreV1().Pods("shop").Delete(ctx, name, metav1.DeleteOptions{}) // want `the write ignores .*DRY_RUN.*, so a dry run deletes a Pod`
}

// helped is filled by a function for all variables.
type helped struct {
	clients *kubernetes.Clientset
	quiet   bool
}

func boolOf(key string, otherwise bool) bool {
	v, err := strconv.ParseBool(os.Getenv(key))
	if err != nil {
		return otherwise
	}
	return v
}

func (h *helped) reap(ctx context.Context, name string) error {
	if h.quiet {
		log.Print("would delete ", name)
	}
	return h.clients.CoreV1().Pods("shop").Delete(ctx, name, metav1.DeleteOptions{}) // want `the write ignores .*DRY_RUN.*, so a dry run deletes a Pod`
}

// careful does what it prints.
type careful struct {
	clients *kubernetes.Clientset
	dryRun  bool
}

func (c *careful) reap(ctx context.Context, name string) error {
	if c.dryRun {
		log.Print("would delete ", name)
		return nil
	}
	return c.clients.CoreV1().Pods("shop").Delete(ctx, name, metav1.DeleteOptions{})
}

// armed has the opposite value.
type armed struct {
	clients *kubernetes.Clientset
	delete  bool
}

func (a *armed) reap(ctx context.Context, name string) error {
	if !a.delete {
		return nil
	}
	return a.clients.CoreV1().Pods("shop").Delete(ctx, name, metav1.DeleteOptions{})
}

func main() {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		log.Fatal(err)
	}
	clients := kubernetes.NewForConfigOrDie(cfg)
	s, err := load()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	for _, r := range []interface {
		reap(ctx context.Context, name string) error
	}{
		loaded{clients, s},
		&compared{clients: clients, dryRun: os.Getenv("DRY_RUN") == "true"},
		&helped{clients: clients, quiet: boolOf(variable, false)},
		&careful{clients: clients, dryRun: os.Getenv("DRY_RUN") != ""},
		&armed{clients: clients, delete: os.Getenv("DRY_RUN") == "false"},
	} {
		if err := r.reap(ctx, "web"); err != nil {
			log.Print(err)
		}
	}
}
