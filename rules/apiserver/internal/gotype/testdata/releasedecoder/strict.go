//go:build !nostrict

package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

var options = serializer.SerializerOptions{Strict: true}

// answerTo returns the texts of strict errors as warnings, or the text of any
// other error. If there is another error, the decoder does not report strict
// errors.
func answerTo(err error) answer {
	strict, ok := runtime.AsStrictDecodingError(err)
	switch {
	case err == nil:
		return answer{}
	case !ok:
		return answer{Error: err.Error()}
	}
	var a answer
	for _, e := range strict.Errors() {
		a.Warnings = append(a.Warnings, e.Error())
	}
	return a
}
