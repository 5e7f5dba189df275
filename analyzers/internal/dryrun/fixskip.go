package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// skip is a fix with which a dry run does not reach the write. It returns from the function
// or continues the loop before the write.
type skip struct {
	// from and to are the positions around the skipped code.
	from, to token.Pos
	// scope is the function that the fix returns from, or the loop that it continues.
	scope ast.Node
	// write is the skipped write. It may be nil.
	write ssa.Instruction
	fix   analysis.SuggestedFix
}

// Skipped returns the fix of an earlier finding with which a dry run does not reach the
// code of another finding either. It returns nil if there is none.
func (x *Fixer) Skipped(f *Finding) []analysis.SuggestedFix {
	at := f.Write.instr
	if !f.AtWrite {
		at = f.Path[0]
	}
	if at == nil {
		return nil
	}
	for _, s := range x.skips {
		if s.from < at.Pos() && at.Pos() < s.to || x.result().onlyAfter(at, s.write) {
			return []analysis.SuggestedFix{s.fix}
		}
	}
	return nil
}

func (x *Fixer) result() *Result { return x.pass.ResultOf[Analyzer].(*Result) }

// onlyAfter reports whether a dry run reaches an instruction only after another one.
func (r *Result) onlyAfter(later, earlier ssa.Instruction) bool {
	if earlier == nil || later.Parent() != earlier.Parent() || later.Block() == nil || earlier.Block() == nil {
		return false
	}
	if later.Block() == earlier.Block() {
		return later.Pos() > earlier.Pos()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	fn := later.Parent()
	flow := r.state.flow(fn, Client)
	if flow == nil {
		return false
	}
	seen := make([]bool, len(fn.Blocks))
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if seen[b.Index] || !flow.blocks[b.Index] || b == earlier.Block() {
			return
		}
		seen[b.Index] = true
		for _, next := range b.Succs {
			visit(next)
		}
	}
	visit(fn.Blocks[0])
	return !seen[later.Block().Index]
}

// skipWrite returns the fix that skips the write and the code after it in a dry run.
// needs holds the positions of the code that needs the effect of the write. skipWrite
// returns nil if the function has results other than an error, or if the code is in a
// loop that cannot simply continue.
func (w *fixable) skipWrite(needs []token.Pos) []analysis.SuggestedFix {
	cond := w.condition()
	if cond == "" || w.dryRun.shape != Bool {
		return nil
	}
	text, done, scope := w.leave(needs)
	if text == "" {
		return nil
	}
	fix := analysis.SuggestedFix{
		Message:   done + " before the write if " + cond,
		TextEdits: append(w.inDryRun(cond, "", text), w.dryRun.imports...),
	}
	w.fixer.skips = append(w.fixer.skips, skip{from: w.stmt.Pos(), to: w.ancestors[0].End(), scope: scope, write: w.write, fix: fix})
	return []analysis.SuggestedFix{fix}
}

// leave returns the statement that skips the write, the first word of the message, and
// the function or loop that the statement leaves. text is "" if there is none.
func (w *fixable) leave(needs []token.Pos) (text, done string, scope ast.Node) {
	var results *ast.FieldList
	for _, n := range w.ancestors {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if !w.canContinue(n.Body, needs) {
				return "", "", nil
			}
			return "continue", "Continue", n
		case *ast.ForStmt:
			// Without a post statement, the loop may never end.
			if n.Post == nil || !w.canContinue(n.Body, needs) {
				return "", "", nil
			}
			return "continue", "Continue", n
		case *ast.FuncDecl:
			results = n.Type.Results
		case *ast.FuncLit:
			results = n.Type.Results
		}
		if n == w.function {
			break
		}
	}
	switch {
	case results.NumFields() == 0:
		return "return", "Return", w.function
	case results.NumFields() == 1 && types.Identical(w.fixer.pass.TypesInfo.TypeOf(results.List[0].Type), types.Universe.Lookup("error").Type()):
		return "return nil", "Return", w.function
	}
	return "", "", nil
}

// canContinue reports whether a loop can continue before the write. All code that needs
// the write must be in the loop. After the write, the loop must not end with success,
// because it then repeats one write until it succeeds.
func (w *fixable) canContinue(body *ast.BlockStmt, needs []token.Pos) bool {
	for _, n := range needs {
		if n < body.Pos() || body.End() < n {
			return false
		}
	}
	ok := true
	depth := []ast.Node{}
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			depth = depth[:len(depth)-1]
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			ok = ok && (n.Pos() < w.stmt.Pos() || !succeeds(n))
		case *ast.BranchStmt:
			if n.Pos() > w.stmt.Pos() && (n.Label != nil || n.Tok == token.BREAK && !inBreakable(depth)) {
				ok = false
			}
		}
		depth = append(depth, n)
		return true
	})
	return ok
}

// succeeds reports whether a statement returns no error.
func succeeds(r *ast.ReturnStmt) bool {
	if len(r.Results) == 0 {
		return true
	}
	id, ok := ast.Unparen(r.Results[len(r.Results)-1]).(*ast.Ident)
	return ok && id.Name == "nil"
}

// inBreakable reports whether a break below these nodes ends one of them.
func inBreakable(nodes []ast.Node) bool {
	for _, n := range nodes {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return true
		}
	}
	return false
}
