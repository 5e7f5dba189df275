// Package client builds clients.
package client

import (
	"io"
	"os"

	"example.org/clients/swallowedwarnings/empty"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func field(cfg *rest.Config) (kubernetes.Interface, error) {
	cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away the warnings of the API server: log them, with rest.WarningLogger{}`
	return kubernetes.NewForConfig(cfg)
}

func literals() []*rest.Config {
	return []*rest.Config{
		{WarningHandler: rest.NoWarnings{}},  // want `this client throws away`
		{WarningHandler: &rest.NoWarnings{}}, // want `this client throws away`
		{WarningHandler: &empty.Quiet{}},     // want `this client throws away`
		{WarningHandler: new(empty.Quiet)},   // want `this client throws away`
		{WarningHandler: empty.Discard},      // want `this client throws away`
		{WarningHandler: empty.Chosen},
		{WarningHandler: &empty.Counter{}},
		{WarningHandler: rest.WarningLogger{}},
		{WarningHandler: nil}, // the default, which logs
	}
}

func process() {
	rest.SetDefaultWarningHandler(rest.NoWarnings{})                                              // want `every client of the program throws away the warnings of the API server`
	rest.SetDefaultWarningHandler(rest.NewWarningWriter(io.Discard, rest.WarningWriterOptions{})) // want `every client of the program`
	rest.SetDefaultWarningHandler(rest.NewWarningWriter(os.Stderr, rest.WarningWriterOptions{}))
}

func variable(cfg *rest.Config) {
	none := rest.NoWarnings{}
	cfg.WarningHandler = none // want `this client throws away`
}

func variables(cfg *rest.Config, quiet bool, given rest.WarningHandler) {
	var handler rest.WarningHandler = rest.WarningLogger{}
	if quiet {
		handler = rest.NoWarnings{}
	}
	cfg.WarningHandler = handler
	cfg.WarningHandler = given
}

func branches(cfg *rest.Config, quiet bool) {
	if quiet {
		cfg.WarningHandler = rest.NoWarnings{}
	}
	if err := os.Chdir("/"); err == nil {
		cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away`
	}
	switch {
	case quiet:
		cfg.WarningHandler = rest.NoWarnings{}
	}
}

func copies(cfg *rest.Config) {
	second := rest.CopyConfig(cfg)
	second.WarningHandler = rest.NoWarnings{}
	third := *cfg
	third.WarningHandler = rest.NoWarnings{}
}

func explained(cfg *rest.Config) {
	// The warnings are shown by the installer, which has checked the same objects before.
	cfg.WarningHandler = rest.NoWarnings{}

	// Suppress warnings
	cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away`
}

func inFunction(wrap func(func(*rest.Config) *rest.Config)) {
	wrap(func(cfg *rest.Config) *rest.Config {
		cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away`
		return cfg
	})
}
