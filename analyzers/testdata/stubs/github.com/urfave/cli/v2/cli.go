// Package cli has the shape of commands, and of flags that hold for all commands below
// them. Written by hand: most of the module is of no use here.
package cli

import "context"

type Context struct {
	context.Context
	App     *App
	Command *Command
}

func (c *Context) Bool(name string) bool { panic("stub") }

func (c *Context) String(name string) string { panic("stub") }

type (
	ActionFunc func(*Context) error
	BeforeFunc func(*Context) error
	Flag       interface{ Names() []string }
)

type BoolFlag struct {
	Name, Usage string
	Aliases     []string
	Value       bool
	Destination *bool
}

func (f *BoolFlag) Names() []string { panic("stub") }

type StringFlag struct {
	Name, Usage string
	Value       string
	Destination *string
}

func (f *StringFlag) Names() []string { panic("stub") }

type Command struct {
	Name        string
	Before      BeforeFunc
	Action      ActionFunc
	Subcommands []*Command
	Flags       []Flag
}

type App struct {
	Name     string
	Commands []*Command
	Flags    []Flag
	Before   BeforeFunc
	Action   ActionFunc
}

func NewApp() *App { panic("stub") }

func (a *App) Run(arguments []string) error { panic("stub") }
