package contention

// Object is a written object. The API version and the subresource do not matter.
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

// Writer is one program of one user with one field manager.
type Writer struct {
	// User is the authenticated or impersonated user, Agent the program without
	// versions, Manager the field manager, named by the client or derived by the
	// server.
	User, Agent, Manager string
	// Webhook is set for a mutating webhook. User is then the name of its
	// configuration, Agent its own name, and Manager is empty.
	Webhook bool
}

// How is a method of writing. The zero value is a method that is not analyzed.
type How uint8

// The ways to write.
const (
	HowUnknown How = iota
	HowCreate
	HowUpdate      // of the whole object
	HowScale       // by subresource scale
	HowPatch       // of an unknown type: the log has no body
	HowJSONPatch   // a list of operations
	HowMergePatch  // a part of the object, merged or strategically merged
	HowApply       // server-side
	HowForcedApply // server-side, taking fields from their owners
	HowDelete
	HowWebhook // by changing the request of a client
)

var hows = [...]string{"unknown", "create", "full update", "scale", "patch", "JSON patch", "merge patch", "apply", "forced apply", "delete", "webhook"}

// String returns the name of the method for reports.
func (h How) String() string {
	if int(h) < len(hows) {
		return hows[h]
	}
	return hows[0]
}

// Evidence is how certain a fight is. The zero value is no evidence.
type Evidence uint8

// The kinds of evidence, the weakest first.
const (
	// Probable: the log has no bodies, and writers take turns quickly.
	Probable Evidence = iota + 1
	// Partial: the log has the requests, not the resulting objects.
	Partial
	// Exact: the log has the objects that the server answered with.
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
	// How lists its methods of reverting, most frequent first.
	How []How
	// Writes counts its known writes to the object, Reversals those that revert
	// another writer's value, Wins the fields that have its value at the end.
	Writes, Reversals, Wins int64

	// rereads is set if all its updates are of the object that it read: they state its version and
	// UID. A field that is missing in such an update was removed on purpose.
	rereads bool
}

// Field is a field that writers fight for.
type Field struct {
	// Path is like spec.replicas, metadata.labels["a/b"], or, for list items,
	// spec.containers[name=app].image. It is WholeObject if writers create and
	// delete the object.
	Path      string
	Reversals int64
	// Values are the values that each of Fight.Sides writes, at most maxValues of
	// each, the latest first. A list is empty if they are unknown.
	Values [][]Value
}

// WholeObject is the path of an object that is created and deleted.
const WholeObject = "(object)"

// Bucket is an interval of a fight.
type Bucket struct {
	At        int64 // its beginning, in microseconds since 1970
	Reversals []int64
}

// Place is the position of an event. Line counts from 1.
type Place struct {
	Input string
	Line  int
}

// Fight is a finding on one object: of rule fieldfight, or of rule selfflap if a
// single writer flaps its own value.
type Fight struct {
	Object Object
	// Versions are the versions of the API in the requests.
	Versions []string
	// Self is set if one writer flaps between its own values.
	Self bool
	// Sides are the writers, those with most reversals first; one if Self.
	Sides []Side
	// Fields are at most maxFields fields, the most reverted first; FieldsLeft is
	// the number of other fields. Fields are unknown if the log has no bodies.
	Fields     []Field
	FieldsLeft int
	// Reversals counts writes that reverted at least one value. AtLeast is set if
	// older writes to the object were forgotten.
	Reversals int64
	AtLeast   bool
	// First and Last are the times of the first and last reversal, in
	// microseconds since 1970. Ongoing is set if the fight goes on at the end of
	// the log.
	First, Last int64
	Ongoing     bool
	RatePerHour float64
	// Winner is the side whose values the object has at the end; -1 if unknown.
	Winner   int
	Evidence Evidence
	// Cause is the likely mechanism.
	Cause Cause
	// Timeline has the reversals of each side in intervals of Step microseconds.
	Timeline []Bucket
	Step     int64
	// At is the position of the first known write to the object.
	At Place
	// Turns are the last writes of the fight, at most maxUndecided.
	Turns []Turn
}

const (
	// maxFields bounds the fields that a fight names.
	maxFields = 50
	// maxBuckets bounds a timeline.
	maxBuckets = 120
)

// Rule returns the ID of the rule.
func (f *Fight) Rule() string {
	if f.Self {
		return "selfflap"
	}
	return "fieldfight"
}

// Leftover is an entry of managedFields that later applies of the same program do
// not remove.
type Leftover struct {
	Object Object
	// Manager is the applying manager, Update the manager of the entry that an
	// update or a client-side apply left behind.
	Manager, Update string
	Writer          Writer
	// Fields are at most maxFields fields of that entry; FieldsLeft is the number
	// of others.
	Fields     []string
	FieldsLeft int
	Last       int64
	At         Place
}

// Turns are the writes of two writers that answer each other in a log without
// bodies. Whether they write the same field is unknown.
type Turns struct {
	Object Object
	Sides  []TurnSide
	// Turns counts the changes from one writer to the other.
	Turns int64
	// First and Last are the times of the first and last write to the object, in
	// microseconds since 1970.
	First, Last int64
	// Examples are the last turns, at most maxTurns.
	Examples []Turn
}

// TurnSide is one of the writers of Turns.
type TurnSide struct {
	Writer
	// How lists its methods, most frequent first.
	How []How
	// Writes counts its series of writes.
	Writes int64
	// After is the median time, in microseconds, from the other's write to its
	// own.
	After int64
}

// maxUndecided bounds the turns that a report names.
const maxUndecided = 100

// Report is the result of a collector. Its lists are sorted.
type Report struct {
	Fights    []Fight
	Leftovers []Leftover
	// Objects counts the objects with several writers, Writes all writes.
	Objects, Writes int64
	// Undecided counts objects that several writers change in turn in a log
	// without bodies, as cooperating clients also do. Turns has those with most
	// turns, at most maxUndecided.
	Undecided int64
	Turns     []Turns
	// Forgotten counts writes that the limits excluded, Unread writes whose
	// fields they excluded.
	Forgotten, Unread int64
}

// Thresholds define a fight. Zero means the default.
type Thresholds struct {
	// MinReversals is the least number of writes that revert another writer's
	// value. If a log has no bodies, alternations count, and three times as many
	// are needed.
	MinReversals int
	// Window is the age up to which a value can be reverted, in microseconds.
	Window int64
	// Answer is the time in which a writer must answer another if a log has no
	// bodies, in microseconds.
	Answer int64
}

// The default thresholds.
const (
	DefaultMinReversals = 3
	DefaultWindow       = 6 * 3600 * 1e6
	DefaultAnswer       = 60 * 1e6
)

// Effective returns the thresholds with the defaults filled in.
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
