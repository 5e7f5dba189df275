// Package cli has the shape of commands whose functions are given a context and the
// command. Written by hand: most of the module is of no use here.
package cli

import "context"

type (
	ActionFunc func(context.Context, *Command) error
	BeforeFunc func(context.Context, *Command) (context.Context, error)
	Flag       interface{ Names() []string }
)

type BoolFlag struct {
	Name, Usage string
	Aliases     []string
	Value       bool
	Destination *bool
}

func (f *BoolFlag) Names() []string { panic("stub") }

type Command struct {
	Name     string
	Before   BeforeFunc
	Action   ActionFunc
	Commands []*Command
	Flags    []Flag
}

func (c *Command) Bool(name string) bool { panic("stub") }

func (c *Command) Run(ctx context.Context, arguments []string) error { panic("stub") }
