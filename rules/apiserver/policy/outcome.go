package policy

// Outcome is the result of the match conditions of a webhook. The zero value is
// Skipped.
type Outcome uint8

// The outcomes.
const (
	// Skipped means that the server does not call the webhook.
	Skipped Outcome = iota
	// Undecided means that the outcome depends on an unknown fact.
	Undecided
	// Called means that the server calls the webhook.
	Called
	// Refused means that the server refuses the request, because it cannot
	// evaluate a condition.
	Refused
)

// Condition is one match condition of a webhook.
type Condition struct{ Name, Expression string }
