// Package main has modes of its own that end before the program looks at the dry run.
package main

import (
	"context"
	"flag"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func main() {
	var dryRun, release, adopt, all, early bool
	flag.BoolVar(&dryRun, "dry-run", false, "change nothing")
	flag.BoolVar(&release, "release", false, "give everything back and exit")
	flag.BoolVar(&adopt, "adopt", false, "adopt the definition and exit")
	flag.BoolVar(&all, "all", false, "clean all namespaces")
	flag.BoolVar(&early, "early", false, "clean the first namespace first")
	flag.Parse()
	ctx := context.Background()
	config, _ := rest.InClusterConfig()
	cs := kubernetes.NewForConfigOrDie(config)
	if release {
		if err := remove(ctx, cs, "released"); err != nil {
			os.Exit(1)
		}
		return
	}
	if adopt {
		_ = cs.CoreV1().Secrets("web").Delete(ctx, "adopted", metav1.DeleteOptions{})
		os.Exit(0)
	}
	if early {
		_ = cs.CoreV1().Secrets("first").Delete(ctx, "token", metav1.DeleteOptions{}) // want "dry run deletes a Secret"
	}
	if dryRun {
		println("dry run")
	}
	if all {
		_ = cs.CoreV1().Secrets("all").Delete(ctx, "token", metav1.DeleteOptions{}) // want "dry run deletes a Secret"
		return
	}
	if !dryRun {
		_ = cs.CoreV1().Secrets("web").Delete(ctx, "token", metav1.DeleteOptions{})
	}
}

func remove(ctx context.Context, cs kubernetes.Interface, name string) error {
	return cs.CoreV1().ConfigMaps("web").Delete(ctx, name, metav1.DeleteOptions{})
}
