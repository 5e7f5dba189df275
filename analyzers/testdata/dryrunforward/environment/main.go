// Package main reads the dry run in one branch of a chain. It applies to the rest
// of this branch, and to the code that follows the branch.
package main

import (
	"context"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var kube client.Client

func main() {
	ctx := context.Background()
	err := dropLeases(ctx)
	if os.Getenv("CLUSTER_CLEANUP") == "true" {
		err = kube.Delete(ctx, &corev1.Namespace{})
	} else if os.Getenv("BINDING_CLEANUP") == "true" {
		err = dropBindings(ctx)
	} else if os.Getenv("USER_CLEANUP") == "true" {
		if err = dropTokens(ctx); err != nil {
			log.Fatal(err)
		}
		dryRun := os.Getenv("DRY_RUN") == "true"
		err = dropUsers(ctx, dryRun)
	} else {
		func() {
			err = kube.Update(ctx, &corev1.Node{})
		}()
	}
	if err != nil {
		log.Fatal(err)
	}
	if err := kube.Update(ctx, &corev1.ConfigMap{}); err != nil { // want `the write ignores .*DRY_RUN.*, so a dry run updates a ConfigMap`
		log.Fatal(err)
	}
}

func dropLeases(ctx context.Context) error {
	return kube.Delete(ctx, &corev1.Endpoints{})
}

func dropBindings(ctx context.Context) error {
	return kube.Delete(ctx, &corev1.ServiceAccount{})
}

func dropTokens(ctx context.Context) error {
	return kube.Delete(ctx, &corev1.Secret{}) // want `the write does not get .*DRY_RUN.* from main, so a dry run deletes a Secret`
}

func dropUsers(ctx context.Context, dryRun bool) error {
	if dryRun {
		return nil
	}
	return kube.Delete(ctx, &corev1.Pod{})
}

// Left has branches that end the function or the program.
func Left(ctx context.Context, kind string) error {
	switch kind {
	case "users":
		dryRun := os.Getenv("DRY_RUN") == "true"
		if err := dropUsers(ctx, dryRun); err != nil {
			return err
		}
		return kube.Update(ctx, &corev1.Secret{}) // want `the write ignores .*DRY_RUN.*, so a dry run updates a Secret`
	case "pods":
		if os.Getenv("DRY_RUN") == "true" {
			os.Exit(0)
		}
		if err := kube.Delete(ctx, &corev1.Pod{}); err != nil {
			log.Fatal(err)
		}
		os.Exit(0)
	}
	return kube.Update(ctx, &corev1.ConfigMap{})
}

// Each handles one object after the other, in different branches.
func Each(ctx context.Context, kinds []string) error {
	for _, kind := range kinds {
		if kind == "users" {
			if err := dropUsers(ctx, os.Getenv("DRY_RUN") == "true"); err != nil {
				return err
			}
		} else if err := kube.Update(ctx, &corev1.Node{}); err != nil {
			return err
		}
	}
	return nil
}

// Kept reads the dry run in a branch. It applies to all code after the branch.
func Kept(ctx context.Context, dry string) error {
	if err := kube.Update(ctx, &corev1.Node{}); err != nil { // want `the write ignores .*DRY_RUN.*, so a dry run updates a Node`
		return err
	}
	wish := false
	if dry == "" {
		wish = os.Getenv("DRY_RUN") == "true"
	}
	return dropUsers(ctx, wish)
}
