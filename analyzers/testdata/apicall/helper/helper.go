// Package helper writes through cli-runtime's Helper.
package helper

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/resource"
)

type options struct {
	dryRun  bool
	manager string
}

func (o *options) chain(info *resource.Info, obj runtime.Object, data []byte) {
	resource.NewHelper(info.Client, info.Mapping).Create("ns", true, obj)                                                    // want `^build helper` `^helper create fm=unset force=unset dryrun=unset validation=unset`
	resource.NewHelper(info.Client, info.Mapping).DryRun(true).WithFieldManager("me").Create("ns", true, obj)                // want `^build helper` `fm=set=me\(client\) force=unset dryrun=set=\[All\]\(client\)`
	resource.NewHelper(info.Client, info.Mapping).DryRun(false).Delete("ns", "n")                                            // want `^build helper` `^helper delete .*dryrun=unset`
	resource.NewHelper(info.Client, info.Mapping).DryRun(o.dryRun).WithFieldManager(o.manager).Replace("ns", "n", true, obj) // want `^build helper` `^helper update fm=set:o.manager\(client\) force=unset dryrun=set:o.dryRun\?\(client\)`
	h := resource.NewHelper(info.Client, info.Mapping)                                                                       // want `^build helper`
	if o.dryRun {
		h = h.DryRun(true)
	}
	h.Patch("ns", "n", types.ApplyPatchType, data, nil) // want `^helper apply fm=unset force=unset dryrun=set=\[All\]\?\(client\)`
	h.WithFieldValidation("Strict")
	h.Patch("ns", "n", types.MergePatchType, data, &metav1.PatchOptions{FieldManager: "own"}) // want `^helper patch patch=application/merge-patch\+json fm=set=own force=unset dryrun=set=\[All\]\?\(client\) validation=set=Strict\(client\)`
	twin := *h
	twin.WithFieldManager("twin").Delete("ns", "n")                                // want `^helper delete .*dryrun=set=\[All\]\?\(client\)`
	h.DeleteWithOptions("ns", "n", &metav1.DeleteOptions{DryRun: []string{"All"}}) // want `dryrun=set=\[All\]`
}

func given(h *resource.Helper, obj runtime.Object) {
	h.Create("ns", true, obj) // want `^helper create fm=passed:h.FieldManager\(client\) force=unset dryrun=passed:h.ServerDryRun\(client\)`
}
