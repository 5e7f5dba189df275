// Command releasedecoder decodes bodies with the code of the Kubernetes release
// that its go.mod names, for TestDifferential of package gotype. It reads lines
// of {"body": …} and writes lines of {"error": …, "warnings": […]}.
//
// For another release, change the versions in a copy of go.mod and name it with
// -modfile: go mod edit, go mod tidy, go build. Releases before 1.23 have no
// strict errors (build tag nostrict) and need modern-go/reflect2 v1.0.2.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistrationv1beta1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
)

type answer struct {
	Error    string   `json:"error,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "releasedecoder:", err)
		os.Exit(1)
	}
}

func run() error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientscheme.AddToScheme, apiextensionsv1.AddToScheme, apiextensionsv1beta1.AddToScheme,
		apiregistrationv1.AddToScheme, apiregistrationv1beta1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	decoder := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, options)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	for in.Scan() {
		var request struct{ Body string }
		if err := json.Unmarshal(in.Bytes(), &request); err != nil {
			return err
		}
		_, _, err := decoder.Decode([]byte(request.Body), nil, nil)
		if err := encoder.Encode(answerTo(err)); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	return out.Flush()
}
