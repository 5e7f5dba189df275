package optionsdropped

import (
	"fmt"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// fits reports whether a write of controller-runtime takes the options opts unchanged.
func fits(c *apicall.Call, opts *types.Var) bool {
	sig := c.Method.Signature()
	if !sig.Variadic() {
		return false
	}
	list := sig.Params().At(sig.Params().Len() - 1).Type()
	if types.Identical(list, opts.Type()) {
		return true
	}
	slice, ok := list.Underlying().(*types.Slice)
	return ok && types.AssignableTo(opts.Type(), slice.Elem())
}

// hasFields reports whether the options opts are a struct. Then the write can use their
// fields even if the options do not fit.
func hasFields(opts *types.Var) bool {
	o := optionsOf(opts.Type())
	return o != nil && o.fields != nil
}

// advice says how the write c can respect the caller's options.
func advice(c *apicall.Call, opts *types.Var) string {
	o := optionsOf(opts.Type())
	switch {
	case o.runtime && fits(c, opts):
		return "pass them on"
	case o.fields != nil:
		return "pass on " + opts.Name() + ".DryRun"
	}
	apply, name := "ApplyOptions", opts.Name()
	if o.verb == "SubResourceApply" {
		apply = "ApplyOpts"
	}
	if _, ok := opts.Type().Underlying().(*types.Slice); !ok {
		name = fmt.Sprintf("[]client.%sOption{%s}", o.verb, name)
	}
	return fmt.Sprintf("read DryRun from (&client.%sOptions{}).%s(%s)", o.verb, apply, name)
}

// usedElsewhere reports whether another write gets the caller's options.
func usedElsewhere(calls *apicall.Result, opts *types.Var) bool {
	for _, c := range calls.Calls {
		if c.CallerOptions == opts {
			return true
		}
	}
	return false
}
