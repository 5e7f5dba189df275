package apicall

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// agentKind is the setting UserAgent of a rest.Config.
const agentKind kind = "UserAgent"

// agent returns the user agent of a configuration right before an instruction.
func (p *program) agent(config ssa.Value, at ssa.Instruction) Setting {
	out := p.flow(agentKind).agent(config, at, nil)
	if out.noValue {
		return Setting{}
	}
	if out.State == Set && out.Constant != nil && constantString(out.Constant) == "" && !out.Sometimes {
		return Setting{State: Unset}
	}
	s := out.Setting
	s.SSA = nil
	return s
}

func (f *flow) agent(config ssa.Value, at ssa.Instruction, fr *frame) outcome {
	i, ok := indexOf(config.Type(), string(agentKind))
	if !ok {
		return unknown
	}
	path := []step{step(i)}
	if _, ok := config.Type().Underlying().(*types.Pointer); ok {
		path = []step{deref, step(i)}
	}
	return f.value(config, path, at, fr)
}

// configResult returns the user agent of a configuration that a library function
// returns. It returns false for other functions.
func (f *flow) configResult(c *ssa.Call, fn *types.Func, path []step, fr *frame) (outcome, bool) {
	name := fn.Name()
	switch ImportPath(fn.Pkg()) {
	case restPath:
		switch name {
		case "CopyConfig":
			return f.value(c.Call.Args[0], path, c, fr), true
		case "AnonymousClientConfig":
			return f.value(c.Call.Args[0], path, c, fr), true
		case "InClusterConfig":
			return unset, true
		}
	case "k8s.io/client-go/tools/clientcmd":
		switch name {
		case "BuildConfigFromFlags", "BuildConfigFromKubeconfigGetter", "RESTConfigFromKubeConfig", "ClientConfig":
			return unset, true
		}
	case "sigs.k8s.io/controller-runtime/pkg/client/config", runtimePath:
		switch name {
		case "GetConfig", "GetConfigOrDie", "GetConfigWithContext":
			return unset, true
		}
	}
	return unknown, false
}
