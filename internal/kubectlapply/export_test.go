package kubectlapply

// What the tests of this package's users need.
const (
	LastApplied    = lastApplied
	MaxAnnotations = maxAnnotations
)

// ReasonOf exports reasonOf for tests.
func ReasonOf(code int) string { return reasonOf(code) }
