package apicall

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// packageFact is the fact about a package that can use clients.
type packageFact struct {
	// Module is the path of the package's module, or "" if it is not known.
	Module string
}

// AFact marks the type as a fact.
func (*packageFact) AFact() {}

func (f *packageFact) String() string { return "relevant" }

// resultFact describes the results of a function, if they are options, a configuration or a
// client.
type resultFact struct {
	Settings []settingFact
	Clients  []clientFact
	Carried  []carriedFact
}

// AFact marks the type as a fact.
func (*resultFact) AFact() {}

func (f *resultFact) String() string { return fmt.Sprintf("%d settings", len(f.Settings)) }

// settingFact is one setting in one result.
type settingFact struct {
	// Result is the index of the result. Path is the path to the setting in it, as pathKey
	// writes it.
	Result int
	Path   string
	Kind   string
	Value  valueFact // gob ignores embedded fields that are not exported
}

// carriedFact says that a part of a function's result is a part of its argument. An
// example is a constructor that stores its client parameter in a helper.
type carriedFact struct {
	Result int
	Path   string
	From   place
}

// clientFact describes a client that a function returns.
type clientFact struct {
	Result                             int
	Manager, DryRun, Validation, Agent valueFact
	Built, Outside, Fake               bool
	// Wraps is the number of the parameter with the wrapped client. The receiver or,
	// without one, the first parameter has number 1. 0 means that there is no wrapped
	// client. A setting that is Unset in this fact has the value of the wrapped client.
	Wraps int
}

// valueFact is an outcome in the form of a fact.
type valueFact struct {
	State     State
	Sometimes bool
	// Text is the constant if Kind is a string, boolean or integer.
	Kind     constant.Kind
	Text     string
	Elements []string
	Complete bool
	// Param is the number of the parameter from which the value comes. The receiver or,
	// without one, the first parameter has number 1. 0 means none.
	Param int
	// If Sometimes is set, OptionsParam is the number of the parameter whose options
	// decide whether the value is set. 0 means that there is no such parameter.
	OptionsParam int
}

// moduleOf returns the path of the checked module.
func moduleOf(pass *analysis.Pass) string {
	if pass.Module == nil {
		return ""
	}
	return pass.Module.Path
}

// sameModule reports whether another package belongs to the checked module. If the driver
// does not know modules, it compares the first elements of the import paths, which identify
// a repository.
func sameModule(pass *analysis.Pass, pkg *types.Package) bool {
	fact := new(packageFact)
	if pkg == nil || !pass.ImportPackageFact(pkg, fact) {
		return false
	}
	if module := moduleOf(pass); module != "" || fact.Module != "" {
		return fact.Module == module
	}
	return repository(pkg.Path()) == repository(pass.Pkg.Path())
}

func repository(path string) string {
	elements := strings.SplitN(path, "/", 4)
	if !strings.Contains(elements[0], ".") {
		return elements[0]
	}
	return strings.Join(elements[:min(len(elements), 3)], "/")
}

// encode converts an outcome into a fact. It replaces parameters by their numbers.
func encode(out outcome, params []*types.Var) valueFact {
	v := encodeValue(out)
	if out.noValue {
		return v
	}
	for i, p := range params {
		if p != nil && p == out.Param {
			v.Param = i + 1
		}
	}
	if out.State == Passed && (v.Param == 0 || out.Field != nil && !IsOptions(out.Param.Type())) {
		// Other packages cannot see what the field of the receiver contains.
		v.State = Unknown
	}
	if out.Field != nil && out.State == Set {
		v.Param = 0
	}
	return v
}

// encodeValue converts an outcome into a fact without its parameter.
func encodeValue(out outcome) valueFact {
	if out.noValue {
		return valueFact{}
	}
	v := valueFact{State: out.State, Sometimes: out.Sometimes, Elements: out.Elements, Complete: out.Complete}
	if out.Constant != nil {
		v.Kind = out.Constant.Kind()
		switch v.Kind {
		case constant.String:
			v.Text = constant.StringVal(out.Constant)
		case constant.Bool, constant.Int:
			v.Text = out.Constant.String()
		default:
			v.Kind = constant.Unknown
		}
	}
	return v
}

// decode converts a fact into an outcome without its parameter.
func (v valueFact) decode() outcome {
	out := outcome{Setting: Setting{State: v.State, Sometimes: v.Sometimes, Elements: v.Elements, Complete: v.Complete}}
	switch v.Kind {
	case constant.String:
		out.Constant = constant.MakeString(v.Text)
	case constant.Bool:
		out.Constant = constant.MakeBool(v.Text == "true")
	case constant.Int:
		out.Constant = constant.MakeFromLiteral(v.Text, token.INT, 0)
	}
	return out
}
