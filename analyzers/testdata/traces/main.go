// Package main is a program whose requests appear in an audit log.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.org/clients/traces/lib"
)

var version = "1.0"

var appName = "traces-variable"

const tool = "traces-tool"

// buildUserAgent has the name of a function that returns a user agent.
func buildUserAgent(name, platform string) string {
	return fmt.Sprintf("%s/%s (%s) traces-product/%s", name, version, platform, "abc")
}

func main() {
	cfg := &rest.Config{UserAgent: "traces-main/" + version}
	cfg.UserAgent = fmt.Sprintf("traces-other/%s", version)
	cfg.UserAgent = version + "/computed"
	cfg.UserAgent = fmt.Sprintf("%s/%s", appName, version)
	cfg.UserAgent = buildUserAgent(tool, runtime.GOOS)
	switch filepath.Base(os.Args[0]) {
	case "traces-server":
	default:
	}
	cfg.UserAgent = fmt.Sprintf("no-slash-%s", version)
	lib.Write(context.Background(), kubernetes.NewForConfigOrDie(cfg))
}
