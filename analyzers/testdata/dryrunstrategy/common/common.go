// Package common has its own type of strategy.
package common

type DryRunStrategy int

const (
	DryRunNone DryRunStrategy = iota
	DryRunClient
	DryRunServer
)

func (s DryRunStrategy) ClientDryRun() bool         { return s == DryRunClient }
func (s DryRunStrategy) ServerDryRun() bool         { return s == DryRunServer }
func (s DryRunStrategy) ClientOrServerDryRun() bool { return s == DryRunClient || s == DryRunServer }
