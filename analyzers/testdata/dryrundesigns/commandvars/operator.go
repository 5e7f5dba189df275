package main

import (
	"context"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

var operatorCmd = &cobra.Command{Use: "operator"}

var deployCmd = &cobra.Command{Use: "deploy", Run: runDeploy}

var queryCmd = &cobra.Command{Use: "query", Run: runQuery}

func init() {
	operatorCmd.AddCommand(deployCmd)
	rootCmd.AddCommand(operatorCmd)
	rootCmd.AddCommand(queryCmd)
}

func clients() kubernetes.Interface { return nil }

func runDeploy(cmd *cobra.Command, args []string) {
	cs := clients()
	_, _ = cs.CoreV1().Namespaces().Create(context.TODO(), &corev1.Namespace{}, metav1.CreateOptions{}) // want "dry run creates a Namespace"
	bind(cs)
}

func bind(cs kubernetes.Interface) {
	_ = cs.CoreV1().Secrets("a").Delete(context.TODO(), "s", metav1.DeleteOptions{}) // want "dry run deletes a Secret"
}

type option func(*executor)

type executor struct{ quiet bool }

func quietly(on bool) option { return func(e *executor) { e.quiet = on } }

func runQuery(cmd *cobra.Command, args []string) { execute(clients(), quietly(dryRun)) }

func execute(cs kubernetes.Interface, opts ...option) {
	e := &executor{}
	for _, o := range opts {
		o(e)
	}
	if !e.quiet {
		_ = cs.CoreV1().Pods("a").Delete(context.TODO(), "p", metav1.DeleteOptions{})
	}
}
