// Package tiller writes through the client of Helm 2.
package tiller

import (
	"context"

	"k8s.io/helm/pkg/helm"
)

func install(c helm.Interface, chart *helm.Chart, dryRun bool) error {
	_, err := c.InstallReleaseFromChart(chart, "web", helm.InstallReuseName(true)) // want `ignores dryRun, so a dry run creates a Release`
	return err
}

func installDry(c helm.Interface, chart *helm.Chart, dryRun bool) error {
	_, err := c.InstallReleaseFromChart(chart, "web", helm.InstallReuseName(true), helm.InstallDryRun(dryRun))
	return err
}

// probe always installs dry.
func probe(c helm.Interface, chart *helm.Chart, dryRun bool) error {
	_, err := c.InstallRelease("chart", "web", helm.InstallDryRun(true))
	return err
}

func installOptions(c helm.Interface, dryRun bool) error {
	opts := []helm.InstallOption{helm.InstallReuseName(true)}
	if dryRun {
		opts = append(opts, helm.InstallDryRun(true))
	}
	_, err := c.InstallRelease("chart", "web", opts...)
	return err
}

// installGiven gets the options from its callers.
func installGiven(c helm.Interface, dryRun bool, opts ...helm.InstallOption) error {
	_, err := c.InstallRelease("chart", "web", opts...)
	return err
}

func upgrade(ctx context.Context, c *helm.Client, chart *helm.Chart, dryRun bool) error {
	if _, err := c.ReleaseStatus("web"); err != nil {
		return err
	}
	_, err := c.UpdateReleaseFromChartWithContext(ctx, "web", chart, helm.UpgradeForce(true)) // want `ignores dryRun, so a dry run updates a Release`
	return err
}

func remove(c *helm.Client, dryRun bool) error {
	_, err := c.DeleteRelease("web", helm.DeletePurge(true)) // want `ignores dryRun, so a dry run deletes a Release`
	return err
}

func removeDry(c *helm.Client, dryRun bool) error {
	_, err := c.DeleteRelease("web", helm.DeletePurge(true), helm.DeleteDryRun(dryRun))
	return err
}

func rollback(c *helm.Client, dryRun bool) error {
	if dryRun {
		return nil
	}
	_, err := c.RollbackRelease("web")
	return err
}

func test(c *helm.Client, dryRun bool) {
	_, errs := c.RunReleaseTest("web") // want `ignores dryRun, so a dry run creates a Release`
	<-errs
}
