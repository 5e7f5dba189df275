package helmchart

import (
	"errors"
	"fmt"
	"strings"
	"text/template"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
)

// Limits of one rendering
const (
	maxSteps  = 1_000_000 // executed nodes
	maxOutput = 64 << 20  // written bytes, including those of helpers
	maxValue  = 16 << 20  // bytes of one value
	maxTime   = 10 * time.Second
	// maxNesting is the largest depth of templates that call each other. A deeper
	// chart could overflow the stack, which ends the process.
	maxNesting = 3000
	// maxTpl is the largest depth of calls of tpl within tpl. Each level makes
	// Helm's error message longer, because it quotes the level below.
	maxTpl = 30
)

// errBudget is wrapped by the error for each of these limits.
var errBudget = errors.New("the chart does too much")

// recorder records the output of instrumented templates, and which node wrote
// each part. It stops templates that exceed a limit.
type recorder struct {
	program *program
	steps   int
	bytes   int
	started time.Time
	// noTimeLimit is set if another process limits the time.
	noTimeLimit bool

	current *templateOutput
	// files has the output of each template file, by the index of its body.
	files map[int]*templateOutput
	// inline is true if the next template writes into the output of its caller.
	inline bool
	frames []frame
	depth  int // depth of tpl
	// products has the products in the order of their creation.
	products []product
	executed map[int]bool // nodes that were executed

	values *valuesIndex
}

type frame struct {
	output *templateOutput
	inline bool
}

// templateOutput is the output of one execution of a template.
type templateOutput struct {
	body   int
	pieces []piece
	len    int
	text   string // the whole output; empty until the template ends
	lines  textLines
}

// piece is the part of an output that one node wrote.
type piece struct {
	node int
	from int // offset in the output
	text string
	// dot and root are the values of . and $ when the action ran. products is the
	// length of recorder.products at that time.
	dot, root any
	products  int
}

// product is a text that an action computed and that later output may contain:
// the output of a helper, or a value as YAML.
type product struct {
	text string
	// helper is the execution of the helper that wrote the text; nil for a value.
	helper *templateOutput
	// value is the value whose YAML is text; nil for a helper.
	value any
}

func newRecorder(p *program) *recorder {
	return &recorder{program: p, started: time.Now(), files: map[int]*templateOutput{}, executed: map[int]bool{}}
}

func (r *recorder) executedNodes() map[nodePos]bool {
	all := make(map[nodePos]bool, len(r.executed))
	for n := range r.executed {
		all[nodePos{r.program.nodes[n].template.file.place, r.program.nodes[n].pos}] = true
	}
	return all
}

// file returns the output of a template file; nil if the template was not
// executed.
func (r *recorder) file(key string) *templateOutput {
	for n, e := range r.files {
		if r.program.bodies[n].name == key {
			return e
		}
	}
	return nil
}

// functions returns the functions that instrumented templates call.
func (r *recorder) functions() template.FuncMap {
	return template.FuncMap{
		funcEnter: r.enter, funcLeave: r.leave, funcText: r.text, funcValue: r.value,
		funcSet: r.set, funcStep: r.step, funcCall: r.call, funcDone: r.done,
		funcNest: r.nest, funcUnnest: r.unnest,
	}
}

// step counts an executed node. It returns an error if the rendering exceeds
// the limit of nodes or of time.
func (r *recorder) step() (string, error) {
	r.steps++
	switch {
	case r.steps > maxSteps:
		return "", fmt.Errorf("%w: it executes more than %d million nodes", errBudget, maxSteps/1_000_000)
	case r.bytes > maxOutput:
		return "", fmt.Errorf("%w: it writes more than %d MiB", errBudget, maxOutput>>20)
	case r.steps&0xff == 0 && !r.noTimeLimit && time.Since(r.started) > maxTime:
		return "", fmt.Errorf("%w: it renders for longer than %s", errBudget, maxTime)
	}
	return "", nil
}

func (r *recorder) call() string {
	r.inline = true
	return ""
}

func (r *recorder) done() string {
	r.inline = false // an empty template does not call enter
	return ""
}

func (r *recorder) enter(body int, _ any) (string, error) {
	f := frame{output: r.current, inline: r.inline && r.current != nil}
	r.inline = false
	r.frames = append(r.frames, f)
	if !f.inline {
		r.current = &templateOutput{body: body}
	}
	if len(r.frames) > maxNesting {
		return "", fmt.Errorf("%w: its templates call each other deeper than %d", errBudget, maxNesting)
	}
	return r.step()
}

// nest and unnest count how deep tpl calls itself, because Helm does not limit
// this depth. If tpl executes a text that may call tpl, the text calls nest at
// its beginning and unnest at its end.
func (r *recorder) nest() (string, error) {
	if r.depth++; r.depth > maxTpl {
		return "", fmt.Errorf("%w: tpl is nested deeper than %d", errBudget, maxTpl)
	}
	return r.step()
}

func (r *recorder) unnest() string {
	r.depth--
	return ""
}

func (r *recorder) leave(body int) string {
	if len(r.frames) == 0 {
		return ""
	}
	f := r.frames[len(r.frames)-1]
	r.frames = r.frames[:len(r.frames)-1]
	if f.inline {
		return ""
	}
	done := r.current
	done.finish()
	r.current = f.output
	if r.current == nil {
		r.files[body] = done
	} else if len(done.pieces) > 0 {
		r.products = append(r.products, product{text: done.text, helper: done})
	}
	return ""
}

func (e *templateOutput) finish() {
	var b strings.Builder
	b.Grow(e.len)
	for i := range e.pieces {
		b.WriteString(e.pieces[i].text)
	}
	e.text = b.String()
}

func (r *recorder) write(p piece) {
	if r.current == nil || p.text == "" {
		return
	}
	p.from = r.current.len
	r.current.len += len(p.text)
	r.bytes += len(p.text)
	r.current.pieces = append(r.current.pieces, p)
}

func (r *recorder) text(n int) (string, error) {
	text := r.program.nodes[n].text
	r.executed[n] = true
	r.write(piece{node: n, text: text})
	if _, err := r.step(); err != nil {
		return "", err
	}
	return text, nil
}

func (r *recorder) value(n int, dot, root, v any) (any, error) {
	if err := bounded(v); err != nil {
		return nil, err
	}
	if version, ok := v.(common.KubeVersion); ok {
		v = &version // fmt prints the pointer with its method String, as it does for Helm's field
	}
	// Helm removes the text that text/template writes for a missing value.
	text := ""
	if v != nil {
		text = strings.ReplaceAll(fmt.Sprint(v), "<no value>", "")
	}
	r.executed[n] = true
	r.write(piece{node: n, text: text, dot: dot, root: root, products: len(r.products)})
	if _, err := r.step(); err != nil {
		return nil, err
	}
	return v, nil
}

func (r *recorder) set(v any) (any, error) {
	if err := bounded(v); err != nil {
		return nil, err
	}
	_, err := r.step()
	return v, err
}

// bounded returns an error if a value is too large. A variable that doubles in
// a loop would otherwise use all memory.
func bounded(v any) error {
	n := 0
	switch v := v.(type) {
	case string:
		n = len(v)
	case []any:
		n = len(v) * 16
	case map[string]any:
		n = len(v) * 16
	}
	if n > maxValue {
		return fmt.Errorf("%w: it makes a value of more than %d MiB", errBudget, maxValue>>20)
	}
	return nil
}

// yaml records a value that a function wrote as YAML.
func (r *recorder) yaml(text string, v any) {
	if strings.TrimSpace(text) != "" {
		r.products = append(r.products, product{text: text, value: v})
	}
}
