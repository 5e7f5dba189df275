// Package helm runs actions of Helm 3, which have a field for the dry run.
package helm

import (
	"fmt"

	"helm.sh/helm/v3/pkg/action"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

func Remove(cfg *action.Configuration, name string, dryRun bool) error {
	fmt.Println("uninstalls", name)
	un := action.NewUninstall(cfg)
	un.KeepHistory = true
	_, err := un.Run(name) // want `the call of Run ignores dryRun, so a dry run uninstalls a release; skip the call or set un.DryRun`
	return err
}

func RollBack(cfg *action.Configuration, name string, dryRun bool) error {
	back := action.NewRollback(cfg)
	if err := back.Run(name); err != nil { // want `so a dry run rolls back a release; skip the call or set back.DryRun`
		return err
	}
	_, err := action.NewInstall(cfg).Run(name, nil) // want `so a dry run installs a release; skip the call or ask it for a dry run`
	return err
}

// The caller may have set the field.
func Passed(un *action.Uninstall, name string, dryRun bool) error {
	_, err := un.Run(name)
	return err
}

func Strategy(cfg *action.Configuration, name string, strategy cmdutil.DryRunStrategy) error {
	un := action.NewUninstall(cfg)
	_, err := un.Run(name) // want `strategy, so a dry run uninstalls a release`
	return err
}

// The action is a dry run.
func Silent(cfg *action.Configuration, name string, dryRun bool) error {
	un := action.NewUninstall(cfg)
	un.DryRun = dryRun
	_, err := un.Run(name)
	return err
}
