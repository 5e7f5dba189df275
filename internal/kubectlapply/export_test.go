package kubectlapply

// Exports for the tests of this package's users.
const (
	LastApplied    = lastApplied
	MaxAnnotations = maxAnnotations
)

// ReasonOf exports reasonOf for tests.
func ReasonOf(code int) string { return reasonOf(code) }
