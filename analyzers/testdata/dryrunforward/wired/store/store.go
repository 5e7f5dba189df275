// Package store declares what others implement.
package store

import "context"

// Store keeps what was done.
type Store interface {
	Put(ctx context.Context, name string) error
	Has(ctx context.Context, name string) (bool, error)
}
