package contention

// Object is what is written: in whatever version of its API and through
// whatever subresource, it is one.
type Object struct {
	Group, Resource, Namespace, Name string
}

// String gives "deployments.apps shop/web".
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

// Writer is who writes: one program of one user under one field manager.
type Writer struct {
	// User is whom the request was judged for, Agent its program without
	// versions, Manager the field manager that it names or the server makes up.
	User, Agent, Manager string
	// Webhook says that it is no client but a mutating webhook: User is its
	// configuration's name, Agent its own, and Manager is empty.
	Webhook bool
}

// How is a way to write. The zero value is none that matters here.
type How uint8

// The ways to write.
const (
	HowUnknown How = iota
	HowCreate
	HowUpdate      // of the whole object
	HowScale       // by subresource scale
	HowPatch       // of an unknown type: no body is in the log
	HowJSONPatch   // a list of operations
	HowMergePatch  // a part of the object, merged or strategically merged
	HowApply       // server-side
	HowForcedApply // server-side, taking fields from their owners
	HowDelete
	HowWebhook // by changing what somebody else sends
)

var hows = [...]string{"unknown", "create", "full update", "scale", "patch", "JSON patch", "merge patch", "apply", "forced apply", "delete", "webhook"}

// String names the way for people.
func (h How) String() string {
	if int(h) < len(hows) {
		return hows[h]
	}
	return hows[0]
}

// Evidence is how certain a fight is. The zero value is none.
type Evidence uint8

// The kinds of evidence, the weakest first.
const (
	// Probable: the log has no bodies, and writers take turns quickly.
	Probable Evidence = iota + 1
	// Partial: the log has what was sent, not what came of it.
	Partial
	// Exact: the log has the objects that the server answered with.
	Exact
)

// String names the evidence.
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

// Side is one of those who fight.
type Side struct {
	Writer
	// How are the ways in which it reverts, most frequent first.
	How []How
	// Writes are all its writes to the object that are known, Reversals those
	// that revert another's value, Wins the fought fields that have its value
	// at the end.
	Writes, Reversals, Wins int64
}

// Field is a field that is fought for.
type Field struct {
	// Path is like spec.replicas or metadata.labels["a/b"], items of lists by
	// their keys: spec.containers[name=app].image. The object as a whole, made
	// and deleted, is WholeObject.
	Path      string
	Reversals int64
}

// WholeObject stands for the path of what is created and deleted.
const WholeObject = "(object)"

// Bucket is a stretch of a fight's time.
type Bucket struct {
	At        int64 // its beginning, in microseconds since 1970
	Reversals []int64
}

// Place is where an event stands. Line counts from 1.
type Place struct {
	Input string
	Line  int
}

// Fight is a finding on one object: of rule fieldfight, or, where a single
// writer flaps its own value, of rule selfflap.
type Fight struct {
	Object Object
	// Versions are the versions of the API that it was written through.
	Versions []string
	// Self says that one writer flaps between values of its own.
	Self bool
	// Sides are who fights, those with most reversals first; one if Self.
	Sides []Side
	// Fields are what is fought for, the most reverted first, at most
	// maxFields; FieldsLeft is how many more there are. Fields are not known
	// where a log has no bodies.
	Fields     []Field
	FieldsLeft int
	// Reversals counts writes that reverted at least one value. AtLeast says
	// that older writes of the object were forgotten.
	Reversals int64
	AtLeast   bool
	// First and Last are when the first and last reversal was, in microseconds
	// since 1970; Ongoing says that it had not ended when the log did.
	First, Last int64
	Ongoing     bool
	RatePerHour float64
	// Winner is the side whose values stand at the end, -1 where that is not
	// known.
	Winner   int
	Evidence Evidence
	// Cause is the likely mechanism.
	Cause Cause
	// Timeline has the reversals of each side in steps of equal length, Step
	// in microseconds.
	Timeline []Bucket
	Step     int64
	// At is where the first known write to the object stands.
	At Place
}

const (
	// maxFields bounds how many fields of a fight are named.
	maxFields = 50
	// maxBuckets bounds a timeline.
	maxBuckets = 120
)

// Rule is the ID of the rule that the fight is a finding of.
func (f *Fight) Rule() string {
	if f.Self {
		return "selfflap"
	}
	return "fieldfight"
}

// Leftover is a manager's entry in managedFields that a later apply of the same
// program will not clean up.
type Leftover struct {
	Object Object
	// Manager applies, Update is the manager of the entry that an update or a
	// client-side apply left behind.
	Manager, Update string
	Writer          Writer
	// Fields are owned by that entry, at most maxFields; FieldsLeft is how
	// many more there are.
	Fields     []string
	FieldsLeft int
	Last       int64
	At         Place
}

// Report is what a collector comes to. Its lists are sorted.
type Report struct {
	Fights    []Fight
	Leftovers []Leftover
	// Objects is how many have several writers, Writes how many writes were
	// looked at.
	Objects, Writes int64
	// Undecided are objects that several writers take turns on in a log
	// without bodies, in ways that cooperating clients have too.
	Undecided int64
	// Forgotten are writes, Unread writes whose fields were not kept, for want
	// of room.
	Forgotten, Unread int64
}

// Thresholds say what is a fight. A zero value stands for the default.
type Thresholds struct {
	// MinReversals is how many writes must revert another's value; where a log
	// has no bodies, alternations count, and three times as many are needed.
	MinReversals int
	// Window is for how long a value counts: what undoes an older one is no
	// reversal. In microseconds.
	Window int64
	// Answer is how soon a writer must answer another where a log has no
	// bodies, in microseconds.
	Answer int64
}

// The default thresholds.
const (
	DefaultMinReversals = 3
	DefaultWindow       = 6 * 3600 * 1e6
	DefaultAnswer       = 60 * 1e6
)

// Effective gives the thresholds with the defaults for those that are not set.
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
