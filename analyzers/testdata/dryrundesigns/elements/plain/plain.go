// Package plain runs tasks. It does not use Kubernetes.
package plain

import "errors"

// Task is run once.
type Task interface {
	Name() string
	Run() []error
}

// Undoable is a task that can be undone.
type Undoable interface {
	Task
	Undo() error
}

// Run runs tasks.
func Run(list []Task) error {
	var all []error
	for _, t := range list {
		all = append(all, t.Run()...)
	}
	return errors.Join(all...)
}

// Undo prints what would be undone.
func Undo(list []Undoable) error {
	for _, t := range list {
		println(t.Name())
	}
	return nil
}
