package kubectlapply

// These names are for the external tests of this package.
const (
	LastApplied    = lastApplied
	MaxAnnotations = maxAnnotations
)

// ReasonOf exports reasonOf for tests.
func ReasonOf(code int) string { return reasonOf(code) }
