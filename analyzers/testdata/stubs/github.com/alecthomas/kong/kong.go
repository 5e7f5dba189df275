// Package kong has the shape of a parser that fills structs and calls the method Run of
// the command that was given. Written by hand.
package kong

type Context struct{}

func (c *Context) Run(binds ...any) error { panic("stub") }

func (c *Context) FatalIfErrorf(err error, args ...any) { panic("stub") }

type Option interface{ Apply() error }

func Parse(cli any, options ...Option) *Context { panic("stub") }
