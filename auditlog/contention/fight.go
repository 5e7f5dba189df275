package contention

// Object is an object that was written. All API versions and subresources are
// the same Object.
type Object struct {
	Group, Resource, Namespace, Name string
}

// String returns a text such as "deployments.apps shop/web".
func (o Object) String() string {
	s := o.Resource
	if o.Group != "" {
		s += "." + o.Group
	}
	s += " "
	if o.Namespace != "" {
		s += o.Namespace + "/"
	}
	return s + o.Name
}

// Writer is a program of one user with one field manager.
type Writer struct {
	// User is the user with whose permissions the request was made. Agent is
	// the name of the program, without versions. Manager is the field manager:
	// the client named it, or the server derived it from the agent.
	User, Agent, Manager string
	// Webhook is set for a mutating webhook. User is then the name of the
	// configuration, Agent is the name of the webhook, and Manager is empty.
	Webhook bool
}

// How is a method of writing. The zero value is an unknown method.
type How uint8

// These are the methods of writing.
const (
	HowUnknown How = iota
	HowCreate
	HowUpdate      // of the whole object
	HowScale       // by subresource scale
	HowPatch       // of an unknown type, because the log has no body
	HowJSONPatch   // a JSON patch, which is a list of operations
	HowMergePatch  // a merge patch or a strategic merge patch
	HowApply       // server-side apply without force
	HowForcedApply // server-side apply that takes fields from their owners
	HowDelete
	HowWebhook // a change of another client's request
)

var hows = [...]string{"unknown", "create", "full update", "scale", "patch", "JSON patch", "merge patch", "apply", "forced apply", "delete", "webhook"}

// String returns the name of the method for reports.
func (h How) String() string {
	if int(h) < len(hows) {
		return hows[h]
	}
	return hows[0]
}

// Evidence says how certain a fight is. The zero value means no evidence.
type Evidence uint8

// These are the kinds of evidence, the weakest first.
const (
	// Probable means that the log has no bodies, and that the writers take
	// turns.
	Probable Evidence = iota + 1
	// Partial means that the log has the requests, but not the resulting
	// objects.
	Partial
	// Exact means that the log has the resulting objects.
	Exact
)

// String returns the name of the evidence.
func (e Evidence) String() string {
	switch e {
	case Probable:
		return "probable"
	case Partial:
		return "partial"
	case Exact:
		return "exact"
	}
	return ""
}

// Side is one of the writers that fight.
type Side struct {
	Writer
	// How has the methods with which the writer reverts values, the most
	// frequent first.
	How []How
	// Writes is the number of known writes to the object. Reversals is the
	// number of writes that revert another writer's value. Wins is the number
	// of fields with the writer's value at the end.
	Writes, Reversals, Wins int64

	// rereads is set if each update has the version and UID of the object,
	// which means that the writer read the object before. If a field is missing
	// in such an update, the writer removed it on purpose.
	rereads bool
}

// Field is a field that writers fight for.
type Field struct {
	// Path is a path such as spec.replicas, metadata.labels["a/b"], or
	// spec.containers[name=app].image for an item of a list. It is WholeObject
	// if the writers create and delete the object.
	Path      string
	Reversals int64
	// Values has the values that each side writes, in the order of Fight.Sides.
	// Each side has at most maxValues, the latest first. A list is empty if the
	// values are unknown.
	Values [][]Value
}

// WholeObject is the path of an object that is created and deleted.
const WholeObject = "(object)"

// Bucket is an interval of a fight.
type Bucket struct {
	At        int64 // beginning of the interval, in microseconds since 1970
	Reversals []int64
}

// Place is the position of an event. Line counts from 1.
type Place struct {
	Input string
	Line  int
}

// Fight is a finding about one object. Its rule is fieldfight, or selfflap if a
// single writer reverts its own value.
type Fight struct {
	Object Object
	// Versions are the versions of the API in the requests.
	Versions []string
	// Self is set if a single writer alternates between values.
	Self bool
	// Sides are the writers. Those with the most reversals come first. If Self
	// is set, there is only one side.
	Sides []Side
	// Fields are the fields that were reverted most often, at most maxFields.
	// FieldsLeft is the number of other fields. Fields is empty if the log has
	// no bodies.
	Fields     []Field
	FieldsLeft int
	// Reversals is the number of writes that reverted at least one value.
	// AtLeast is set if older writes to the object were dropped, so that the
	// number can be higher.
	Reversals int64
	AtLeast   bool
	// First and Last are the times of the first and the last reversal, in
	// microseconds since 1970. Ongoing is set if the fight has not ended at the
	// end of the log.
	First, Last int64
	Ongoing     bool
	RatePerHour float64
	// Winner is the index of the side whose values the object has at the end;
	// -1 if unknown.
	Winner   int
	Evidence Evidence
	// Cause is the likely mechanism.
	Cause Cause
	// Timeline has the numbers of reversals of each side, in intervals of Step
	// microseconds.
	Timeline []Bucket
	Step     int64
	// At is the position of the first known write to the object.
	At Place
	// Turns are the last reversals of the fight, at most maxTurns.
	Turns []Turn
}

const (
	// maxFields is the largest number of fields in a Fight.
	maxFields = 50
	// maxBuckets is the largest number of intervals in a timeline.
	maxBuckets = 120
)

// Rule returns the ID of the finding's rule.
func (f *Fight) Rule() string {
	if f.Self {
		return "selfflap"
	}
	return "fieldfight"
}

// Leftover is an entry of managedFields that a program left behind. Later
// applies of the program do not remove its fields.
type Leftover struct {
	Object Object
	// Manager is the field manager of the applies. Update is the field manager
	// of the entry, which came from an update or from a client-side apply.
	Manager, Update string
	Writer          Writer
	// Fields are fields of the entry, at most maxFields. FieldsLeft is the
	// number of other fields.
	Fields     []string
	FieldsLeft int
	Last       int64
	At         Place
}

// Turns are writes of two writers that respond to each other, in a log without
// bodies. The log does not show whether they write the same field.
type Turns struct {
	Object Object
	Sides  []TurnSide
	// Turns is the number of changes from one writer to the other.
	Turns int64
	// First and Last are the times of the first and the last write to the
	// object, in microseconds since 1970.
	First, Last int64
	// Examples are the last writes, at most maxTurns.
	Examples []Turn
}

// TurnSide is one of the two writers of Turns.
type TurnSide struct {
	Writer
	// How has the writer's methods, the most frequent first.
	How []How
	// Writes is the number of the writer's turns. Consecutive writes of one
	// writer count as one.
	Writes int64
	// After is the median time from a write of the other writer to this
	// writer's next write, in microseconds.
	After int64
}

// maxUndecided is the largest number of turns in a report.
const maxUndecided = 100

// Report is the result of a Collector. Its lists are sorted.
type Report struct {
	Fights    []Fight
	Leftovers []Leftover
	// Objects is the number of objects with several writers. Writes is the
	// number of all writes.
	Objects, Writes int64
	// Undecided is the number of objects that several writers change in turn,
	// in a log without bodies. They may fight or cooperate. Turns has the
	// objects with the most turns, at most maxUndecided.
	Undecided int64
	Turns     []Turns
	// Forgotten is the number of writes that were dropped because of the
	// limits. Unread is the number of writes whose fields were dropped.
	Forgotten, Unread int64
}

// Thresholds say when writes are a fight. Zero means the default.
type Thresholds struct {
	// MinReversals is the smallest number of reversals of another writer's
	// value in a fight. A log without bodies does not show reversals. There, a
	// fight needs two or three times as many changes from one writer to the
	// other.
	MinReversals int
	// Window is the greatest age of a value, in microseconds, at which changing
	// it back counts as a reversal.
	Window int64
	// Answer is the time in which writers that fight usually respond to each
	// other, in a log without bodies, in microseconds. Slower writers must take
	// turns more regularly.
	Answer int64
}

// These are the default thresholds.
const (
	DefaultMinReversals = 3
	DefaultWindow       = 6 * 3600 * 1e6
	DefaultAnswer       = 60 * 1e6
)

// Effective returns the thresholds with defaults in place of zeros.
func (t Thresholds) Effective() Thresholds {
	if t.MinReversals <= 0 {
		t.MinReversals = DefaultMinReversals
	}
	if t.Window <= 0 {
		t.Window = DefaultWindow
	}
	if t.Answer <= 0 {
		t.Answer = DefaultAnswer
	}
	return t
}
