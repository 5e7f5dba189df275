// Package mode reads the dry run, and uses no Kubernetes.
package mode

import "example.org/clients/dryrundesigns/forgotten/config"

func Off(c *config.Config) bool { return c.DryRun }
