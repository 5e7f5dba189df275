// Package helm has the declarations of the client of Helm 2.
package helm

import "context"

type Chart struct{}

type Response struct{}

type Interface interface {
	ReleaseStatus(rlsName string) (*Response, error)
	InstallRelease(chStr, namespace string, opts ...InstallOption) (*Response, error)
	InstallReleaseFromChart(chart *Chart, namespace string, opts ...InstallOption) (*Response, error)
	UpdateReleaseFromChartWithContext(ctx context.Context, rlsName string, chart *Chart, opts ...UpdateOption) (*Response, error)
	DeleteRelease(rlsName string, opts ...DeleteOption) (*Response, error)
	RollbackRelease(rlsName string, opts ...RollbackOption) (*Response, error)
}

type Option func()

type Client struct{ Interface }

func NewClient(opts ...Option) *Client { panic("stub") }

func (h *Client) RunReleaseTest(rlsName string) (<-chan *Response, <-chan error) { panic("stub") }

type InstallOption func()

type UpdateOption func()

type DeleteOption func()

type RollbackOption func()

func InstallDryRun(dry bool) InstallOption { panic("stub") }

func InstallReuseName(reuse bool) InstallOption { panic("stub") }

func UpgradeDryRun(dry bool) UpdateOption { panic("stub") }

func UpgradeForce(force bool) UpdateOption { panic("stub") }

func DeleteDryRun(dry bool) DeleteOption { panic("stub") }

func DeletePurge(purge bool) DeleteOption { panic("stub") }

func RollbackDryRun(dry bool) RollbackOption { panic("stub") }
