//go:build !nostrict

package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

var options = serializer.SerializerOptions{Strict: true}

// answerTo distinguishes strict errors from others, which hide them.
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
