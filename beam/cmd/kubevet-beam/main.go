// Command kubevet-beam counts audit logs in an Apache Beam pipeline. It writes the file
// of `kubevet audit --save`.
//
// The flags of Beam select the runner. The default is --runner=prism, which runs in this
// process. The runners dataflow and universal (for Flink and Spark) need further flags.
// The logs may be local files, or in Google Cloud Storage (gs://) or S3 (s3://).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	audit "github.com/kubevet/kubevet/beam"
)

func main() {
	var o audit.Options
	var inputs, gates, runtimeConfig string
	flag.StringVar(&inputs, "input", "", "globs of audit logs, separated by commas")
	flag.StringVar(&o.Output, "output", "audit.kvs", "the file for what was counted")
	flag.StringVar(&o.Target, "target", "", "the Kubernetes version, or range, to judge for; the newest known by default")
	flag.StringVar(&gates, "feature-gates", "", "feature gates of the server: A=true,B=false")
	flag.StringVar(&runtimeConfig, "runtime-config", "", "APIs that the server enables or disables")
	flag.IntVar(&o.Shards, "shards", 0, "how many parts the objects are divided into; 0 is 64")
	flag.Parse()
	beam.Init()
	o.Inputs = split(inputs)
	o.FeatureGates, o.RuntimeConfig = split(gates), split(runtimeConfig)
	if err := o.Check(); err != nil {
		fmt.Fprintln(os.Stderr, "kubevet-beam:", err)
		os.Exit(2)
	}
	p, s := beam.NewPipelineWithRoot()
	audit.Build(s, o)
	if err := beamx.Run(context.Background(), p); err != nil {
		fmt.Fprintln(os.Stderr, "kubevet-beam:", err)
		os.Exit(3)
	}
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
