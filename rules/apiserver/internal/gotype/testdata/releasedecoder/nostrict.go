//go:build nostrict

package main

import serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

// Before 1.23 a strict serializer refused duplicates with another decoder, and
// servers did not use it.
var options = serializer.SerializerOptions{}

func answerTo(err error) answer {
	if err == nil {
		return answer{}
	}
	return answer{Error: err.Error()}
}
