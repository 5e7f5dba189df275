package objectflow_test

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ssa"
)

// probe returns an analyzer that reports each call of a function named sink,
// together with the read that returned the argument.
func probe(cleared bool) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     "probe",
		Doc:      "tell where objects come from",
		Requires: []*analysis.Analyzer{apicall.Analyzer, objectflow.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			objects := pass.ResultOf[objectflow.Analyzer].(*objectflow.Result)
			sinks := map[ssa.CallInstruction]ssa.Value{}
			for _, fn := range pass.ResultOf[apicall.Analyzer].(*apicall.Result).SSA() {
				for _, b := range fn.Blocks {
					for _, instr := range b.Instrs {
						call, ok := instr.(ssa.CallInstruction)
						if !ok {
							continue
						}
						if callee := objectflow.Callee(call); callee != nil && callee.Name() == "sink" {
							sinks[call] = objectflow.Args(call)[0]
						}
					}
				}
			}
			for _, a := range objects.Ask(objectflow.Question{Reads: objects.Reads(), Sinks: sinks, Cleared: cleared}) {
				words := []string{objectflow.Callee(a.Read.Call).Name(), fmt.Sprint(pass.Fset.Position(a.Read.Call.Pos()).Line)}
				for _, via := range a.Via {
					if fn := via.Common().StaticCallee(); fn != nil {
						words = append(words, fn.Name())
					}
				}
				pass.Reportf(a.Sink.Pos(), "%s", strings.Join(words, " "))
			}
			return nil, nil
		},
	}
}

func TestAsk(t *testing.T) { analyzertest.Run(t, probe(false), "./objectflow/...") }

func TestIsObject(t *testing.T) {
	for _, typ := range []types.Type{types.Typ[types.String], types.NewSlice(types.Typ[types.Int]), types.NewPointer(types.Typ[types.Int])} {
		if objectflow.IsObject(typ) {
			t.Errorf("IsObject(%s) = true", typ)
		}
	}
}

func TestTextOfNothing(t *testing.T) {
	if got := objectflow.Text(nil); got != "the object" {
		t.Errorf("Text(nil) = %q", got)
	}
}

// TestEverything treats every call as a read and as a sink, in the test packages of
// several rules. The analysis must not panic, and a second run must return the same
// answers.
func TestEverything(t *testing.T) {
	run := func(pass *analysis.Pass) (any, error) {
		objects := pass.ResultOf[objectflow.Analyzer].(*objectflow.Result)
		var reads []objectflow.Read
		sinks := map[ssa.CallInstruction]ssa.Value{}
		for _, fn := range pass.ResultOf[apicall.Analyzer].(*apicall.Result).SSA() {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					call, ok := instr.(ssa.CallInstruction)
					if !ok {
						continue
					}
					read := objectflow.Read{Call: call}
					if args := call.Common().Args; len(args) > 0 {
						read.Into = args[len(args)-1]
						sinks[call] = args[0]
					}
					reads = append(reads, read)
				}
			}
		}
		for _, cleared := range []bool{false, true} {
			q := objectflow.Question{Reads: reads, Sinks: sinks, Cleared: cleared}
			if a, b := fmt.Sprint(objects.Ask(q)), fmt.Sprint(objects.Ask(q)); a != b {
				t.Errorf("%s: two answers to one question", pass.Pkg.Path())
			}
		}
		objects.Ask(objectflow.Question{Reads: reads, Visit: func(_ objectflow.Read, instr ssa.Instruction, holds func(ssa.Value) bool) {
			for _, o := range instr.Operands(nil) {
				if *o != nil {
					holds(*o)
				}
			}
		}})
		return nil, nil
	}
	a := &analysis.Analyzer{
		Name:     "everything",
		Doc:      "ask about all calls",
		Requires: []*analysis.Analyzer{apicall.Analyzer, objectflow.Analyzer},
		Run:      run,
	}
	for _, r := range analysistest.Run(quiet{}, analyzertest.Dir(), a, "./objectflow/...", "./applylive/...", "./getupdate/...", "./dryrunforward/...", "./apicall/...") {
		if r.Action.Err != nil {
			t.Errorf("%s: %v", r.Action.Package.PkgPath, r.Action.Err)
		}
	}
}

// quiet ignores the errors of analysistest, because the test packages have want
// comments for other analyzers.
type quiet struct{}

func (quiet) Errorf(string, ...any) {}
