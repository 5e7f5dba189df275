// Package store declares an interface that other packages implement.
package store

import "context"

// Store stores the names of finished tasks.
type Store interface {
	Put(ctx context.Context, name string) error
	Has(ctx context.Context, name string) (bool, error)
}
