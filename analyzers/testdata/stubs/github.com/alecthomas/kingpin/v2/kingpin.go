// Package kingpin has the shape of commands that return their names, and of flags that
// hold for all of them or for one. Written by hand.
package kingpin

type (
	Application struct{}
	CmdClause   struct{}
	FlagClause  struct{}
)

func New(name, help string) *Application { panic("stub") }

func (a *Application) Command(name, help string) *CmdClause { panic("stub") }

func (a *Application) Flag(name, help string) *FlagClause { panic("stub") }

func (a *Application) Parse(args []string) (string, error) { panic("stub") }

func (c *CmdClause) Flag(name, help string) *FlagClause { panic("stub") }

func (c *CmdClause) FullCommand() string { panic("stub") }

func (f *FlagClause) Bool() *bool { panic("stub") }

func (f *FlagClause) BoolVar(target *bool) { panic("stub") }

func (f *FlagClause) Short(name rune) *FlagClause { panic("stub") }

func MustParse(command string, err error) string { panic("stub") }
