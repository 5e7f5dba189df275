package dryrun

import (
	"go/constant"
	"go/token"
	"go/types"
)

// off is the mode without a dry run. A value depends on the dry run if the value in
// mode off differs from the value in another mode.
const off Mode = Server + 1

// kind says how much is known of a value. Later kinds say less.
type kind uint8

const (
	// undefined means that the value is not known yet, or is never computed.
	undefined kind = iota
	// constKind is the constant c.
	constKind
	// text is a string that asks for a dry run.
	text
	// list is a []string that asks for a dry run. It is not empty.
	list
	// ref is a pointer to a value that asks for a dry run. It is not nil.
	ref
	// null is nil.
	null
	// other is a value that does not depend on the dry run.
	other
	// mixed depends on the dry run, but is not understood.
	mixed
)

// value is what is known of an SSA value in one mode.
type value struct {
	kind kind
	c    constant.Value
	// dependent is true if the value depends on the dry run.
	dependent bool
	// target is the target of a ref.
	target *value
}

var (
	otherValue = value{kind: other}
	mixedValue = value{kind: mixed, dependent: true}
)

func boolean(b, dependent bool) value {
	return value{kind: constKind, c: constant.MakeBool(b), dependent: dependent}
}

// truth returns the boolean of a boolean constant.
func (v value) truth() (b, known bool) {
	if v.kind == constKind && v.c.Kind() == constant.Bool {
		return constant.BoolVal(v.c), true
	}
	return false, false
}

// depends reports whether v depends on the dry run.
func (v value) depends() bool { return v.dependent }

func (v value) equal(w value) bool {
	if v.kind != w.kind || v.dependent != w.dependent {
		return false
	}
	switch v.kind {
	case constKind:
		return v.c.Kind() == w.c.Kind() && constant.Compare(v.c, token.EQL, w.c)
	case ref:
		return v.target.equal(*w.target)
	}
	return true
}

// join returns what is known of a value that is one of v and w.
func join(v, w value) value {
	switch {
	case v.kind == undefined:
		return w
	case w.kind == undefined:
		return v
	case v.equal(w):
		return v
	case v.kind == null && w.kind == null:
		v.dependent = true
		return v
	case v.kind == constKind && w.kind == constKind && v.c.Kind() == w.c.Kind() && constant.Compare(v.c, token.EQL, w.c):
		v.dependent = true
		return v
	case v.dependent || w.dependent:
		return mixedValue
	}
	return otherValue
}

// dryRunValue returns the value that a source of type t has in mode m. In mode off,
// this value does not ask for a dry run.
func dryRunValue(t types.Type, m Mode, negative bool) value {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		inner := dryRunValue(p.Elem(), m, negative)
		if inner.kind == other {
			return otherValue
		}
		if m == off {
			return mixedValue // nil, or a pointer to false
		}
		return value{kind: ref, dependent: true, target: &inner}
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && isStrategy(n) {
		if c := strategyConst(n, m); c != nil {
			return value{kind: constKind, c: c.Val(), dependent: true}
		}
		return mixedValue
	}
	switch shapeOf(t) {
	case Bool:
		if _, basic := t.Underlying().(*types.Basic); !basic {
			return mixedValue
		}
		return boolean((m != off) != negative, true)
	case Text:
		if negative {
			return mixedValue
		}
		if m == off {
			return value{kind: constKind, c: constant.MakeString(""), dependent: true}
		}
		return value{kind: text, dependent: true}
	case List:
		if negative {
			return mixedValue
		}
		if m == off {
			return mixedValue
		}
		return value{kind: list, dependent: true}
	}
	return otherValue
}

// optionsValue returns the value of options of metav1 or controller-runtime that ask
// for a dry run. Lists of options are not empty.
func optionsValue(t types.Type, m Mode) value {
	switch types.Unalias(t).(type) {
	case *types.Pointer:
		if m == off {
			return mixedValue
		}
		return value{kind: ref, dependent: true, target: &otherValue}
	case *types.Slice:
		if m == off {
			return mixedValue
		}
		return value{kind: list, dependent: true}
	}
	return otherValue
}

// compare returns the result of v op w.
func compare(op token.Token, v, w value, m Mode) value {
	if v.kind == undefined || w.kind == undefined {
		return value{}
	}
	if v.kind == constKind && w.kind == constKind {
		return compareConstants(op, v, w)
	}
	if v.kind == null && w.kind == null && (op == token.EQL || op == token.NEQ) {
		return boolean(op == token.EQL, v.dependent || w.dependent)
	}
	if w.kind == text || w.kind == list || w.kind == ref {
		v, w = w, v
		op = mirrored(op)
	}
	if op == token.EQL || op == token.NEQ {
		if equal, known := equalsConstant(v, w, m); known {
			return boolean(equal == (op == token.EQL), true)
		}
	}
	if v.dependent || w.dependent {
		return mixedValue
	}
	return otherValue
}

func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.GTR:
		return token.LSS
	case token.LEQ:
		return token.GEQ
	case token.GEQ:
		return token.LEQ
	}
	return op
}

func compareConstants(op token.Token, v, w value) value {
	dependent := v.dependent || w.dependent
	if v.c.Kind() != w.c.Kind() {
		return value{kind: other, dependent: dependent}
	}
	switch v.c.Kind() {
	case constant.Bool, constant.String, constant.Int:
	default:
		return otherValue
	}
	if v.c.Kind() == constant.Bool && op != token.EQL && op != token.NEQ {
		return otherValue
	}
	return boolean(constant.Compare(v.c, op, w.c), dependent)
}

// equalsConstant reports whether v equals the constant w. v is the value of a source
// and not a constant. A nil constant has kind null.
func equalsConstant(v, w value, m Mode) (equal, known bool) {
	switch v.kind {
	case ref, list:
		return false, w.kind == null
	case text:
		if w.kind != constKind || w.c.Kind() != constant.String {
			return false, false
		}
		switch squeeze(constant.StringVal(w.c)) {
		case "none", "false", "no", "off", "0", "disabled", "unchanged":
			return false, true
		case "":
			return false, constant.StringVal(w.c) == ""
		case "client", "local":
			return m == Client, true
		case "server":
			return m == Server, true
		case "true", "1", "yes", "on", "all":
			return true, true
		}
	}
	return false, false
}

// nilValue is the value of a nil constant.
var nilValue = value{kind: null}
