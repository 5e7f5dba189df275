// Package dryrunvalue has options that servers refuse, and similar options that
// they accept.
package dryrunvalue

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

const yes = "true"

// The rule checks literals even if no call uses them.
var (
	create  = metav1.CreateOptions{DryRun: []string{"true"}}                            // want `dry-run value "true" is refused by the server, which supports only "All": use metav1.DryRunAll`
	update  = &metav1.UpdateOptions{DryRun: []string{"all"}}                            // want `dry-run value "all" is refused`
	patch   = metav1.PatchOptions{DryRun: []string{yes}}                                // want `dry-run value "true" is refused`
	remove  = metav1.DeleteOptions{DryRun: []string{"server"}, GracePeriodSeconds: nil} // want `dry-run value "server" is refused`
	apply   = metav1.ApplyOptions{DryRun: []string{"client"}}                           // want `dry-run value "client" is refused`
	twice   = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll, "All"}}           // want `DryRun lists "All" twice: once is enough`
	mixed   = metav1.CreateOptions{DryRun: []string{"All", "yes"}}                      // want `dry-run value "yes" is refused`
	nothing = metav1.CreateOptions{DryRun: []string{""}}                                // want `DryRun lists an empty string, which the client leaves out of the request: this is no dry run, and the object is written`
	besides = metav1.CreateOptions{DryRun: []string{"All", ""}}                         // want `DryRun lists an empty string, which the client leaves out of the request$`
	inBody  = metav1.DeleteOptions{DryRun: []string{""}}                                // want `dry-run value "" is refused`

	good      = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	spelled   = metav1.UpdateOptions{DryRun: []string{"All"}}
	emptyList = metav1.PatchOptions{DryRun: []string{}}
	noList    = metav1.DeleteOptions{DryRun: nil}
)

var (
	strict   = metav1.CreateOptions{FieldValidation: "strict"} // want `field validation "strict" is refused by the server, which supports "Ignore", "Strict" and "Warn"`
	wrong    = metav1.UpdateOptions{FieldValidation: "true"}   // want `field validation "true" is refused`
	warn     = metav1.PatchOptions{FieldValidation: "Warn"}
	ignore   = metav1.PatchOptions{FieldValidation: metav1.FieldValidationIgnore}
	default_ = metav1.PatchOptions{FieldValidation: ""}
)

const long = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"

var (
	tooLong = metav1.CreateOptions{FieldManager: long}       // want `field manager of 130 bytes is refused by the server, which allows 128`
	fits    = metav1.CreateOptions{FieldManager: long[:128]} // not a constant
	unprint = metav1.UpdateOptions{FieldManager: "my\tjob"}  // want `field manager "my\\tjob" is refused by the server: U\+0009 at position 2 is not printable`
	printed = metav1.UpdateOptions{FieldManager: "mein Öperator"}
	unnamed = metav1.UpdateOptions{FieldManager: ""}
)

// Assignments, appends, and elements of slices without a type.
func assigned(names []string, value string) []metav1.CreateOptions {
	var o metav1.CreateOptions
	o.DryRun = []string{"True"}        // want `dry-run value "True" is refused`
	o.DryRun = append(o.DryRun, "all") // want `dry-run value "all" is refused`
	o.DryRun = append(o.DryRun, metav1.DryRunAll)
	o.DryRun = append(o.DryRun, names...)
	o.DryRun = []string{value}
	o.DryRun, o.FieldValidation = nil, "STRICT"                                        // want `field validation "STRICT" is refused`
	return []metav1.CreateOptions{{DryRun: []string{"on"}}, {DryRun: []string{"All"}}} // want `dry-run value "on" is refused`
}

// Values that reach a call through a variable.
func followed(ctx context.Context, cs kubernetes.Interface, r dynamic.ResourceInterface, pod *corev1.Pod, dry bool) error {
	var list []string
	if dry {
		list = []string{"dry"}
	}
	opts := metav1.CreateOptions{DryRun: list} // want `dry-run value "dry" is refused`
	if _, err := cs.CoreV1().Pods(pod.Namespace).Create(ctx, pod, opts); err != nil {
		return err
	}
	fine := []string{metav1.DryRunAll}
	return r.Delete(ctx, pod.Name, metav1.DeleteOptions{DryRun: fine})
}

// Options with the same names in another type.
type settings struct {
	DryRun          []string
	FieldValidation string
}

var unrelated = settings{DryRun: []string{"true"}, FieldValidation: "strict"}
