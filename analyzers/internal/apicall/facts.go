package apicall

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// packageFact marks a package as one that has to do with clients.
type packageFact struct {
	// Module is the path of the module it belongs to; "" if it is not known.
	Module string
}

// AFact makes it a fact.
func (*packageFact) AFact() {}

func (f *packageFact) String() string { return "relevant" }

// resultFact describes the results of a function that are options, a configuration or a
// client.
type resultFact struct {
	Settings []settingFact
	Clients  []clientFact
	Carried  []carriedFact
}

// AFact makes it a fact.
func (*resultFact) AFact() {}

func (f *resultFact) String() string { return fmt.Sprintf("%d settings", len(f.Settings)) }

// settingFact is one setting in one result.
type settingFact struct {
	// Result is the index of the result, and Path the path to the setting in it, see
	// pathName.
	Result int
	Path   string
	Kind   string
	Value  valueFact // gob leaves out what is embedded and not exported
}

// carriedFact says that the value at a path of a result, such as the client of a
// helper, comes from a parameter.
type carriedFact struct {
	Result int
	Path   string
	From   place
}

// clientFact describes a client that is a result.
type clientFact struct {
	Result                             int
	Manager, DryRun, Validation, Agent valueFact
	Built, Outside, Fake               bool
	// Wraps is the parameter (1 for the first, the receiver included) that is the
	// client underneath; 0 if there is none. Settings that are Unset here have the
	// value of that client.
	Wraps int
}

// valueFact is an outcome in the form of a fact.
type valueFact struct {
	State     State
	Sometimes bool
	// Text is the constant string or boolean, if Kind says so.
	Kind     constant.Kind
	Text     string
	Elements []string
	Complete bool
	// Param is the parameter it comes from (1 for the first, the receiver
	// included), or 0.
	Param int
	// Choice is the parameter with the options that decide whether there is a
	// value, for Sometimes; or 0.
	Choice int
}

// moduleOf is the path of the module that is checked.
func moduleOf(pass *analysis.Pass) string {
	if pass.Module == nil {
		return ""
	}
	return pass.Module.Path
}

// sameModule reports whether another package belongs to the checked module. For drivers
// that do not know modules it compares the beginning of the import path, as long as
// that of a repository.
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

// encode makes a fact of an outcome. It encodes parameters by their index.
func encode(out outcome, params []*types.Var) valueFact {
	v := encodeValue(out)
	if out.nothing {
		return v
	}
	for i, p := range params {
		if p != nil && p == out.Param {
			v.Param = i + 1
		}
	}
	if out.State == Passed && (v.Param == 0 || out.Field != nil && !IsOptions(out.Param.Type())) {
		// A field of the receiver: other packages do not know its content.
		v.State = Unknown
	}
	if out.Field != nil && out.State == Set {
		v.Param = 0
	}
	return v
}

// encodeValue makes a fact of an outcome that does not depend on parameters.
func encodeValue(out outcome) valueFact {
	if out.nothing {
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

// decode is the reverse of encode, without the parameter.
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
