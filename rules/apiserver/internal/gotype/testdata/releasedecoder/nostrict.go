//go:build nostrict

package main

import serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

// The options are not strict. Servers before 1.23 did not use the strict
// serializer, which refused duplicates with another decoder.
var options = serializer.SerializerOptions{}

func answerTo(err error) answer {
	if err == nil {
		return answer{}
	}
	return answer{Error: err.Error()}
}
