package manifestlint

import (
	"strings"
	"unsafe"

	"github.com/kubevet/kubevet/rules"
)

// detach copies those strings of findings that are pieces of a text, so that the
// text's memory is not kept for a name.
func detach(findings []rules.Finding, text []byte) {
	if len(text) == 0 {
		return
	}
	from := uintptr(unsafe.Pointer(&text[0]))
	own := func(s *string) {
		if at := uintptr(unsafe.Pointer(unsafe.StringData(*s))); len(*s) > 0 && at >= from && at-from < uintptr(len(text)) {
			*s = strings.Clone(*s)
		}
	}
	for i := range findings {
		f := &findings[i]
		own(&f.Message)
		own(&f.Path)
		own(&f.Replacement)
		if o := f.Object; o != nil {
			own(&o.APIVersion)
			own(&o.Kind)
			own(&o.Namespace)
			own(&o.Name)
		}
		if f.Server != nil {
			own(&f.Server.Text)
		}
		for n := range f.Notes {
			own(&f.Notes[n])
		}
		if f.Fix != nil {
			own(&f.Fix.Message)
			for n := range f.Fix.Edits {
				own(&f.Fix.Edits[n].New)
			}
		}
	}
}
