package helmchart

import (
	"sync"
	"text/template/parse"
)

// parsedFiles are the template files of a chart as they were parsed, so that
// each is parsed once for all that is rendered of the chart and asked about it.
// Nobody changes the trees. The zero value has none. It is safe for concurrent
// use.
type parsedFiles struct {
	mu  sync.Mutex
	all map[*file]parsedFile
}

// parsedFile is a template file that parses.
type parsedFile struct {
	key, text string
	own       *parse.Tree
	all       map[string]*parse.Tree
}

// parse parses a template file: its own text, and by name that and the defines
// in it.
func (p *parsedFiles) parse(s *templateFile) (own *parse.Tree, all map[string]*parse.Tree, err error) {
	p.mu.Lock()
	had, ok := p.all[s.file]
	p.mu.Unlock()
	if ok && had.key == s.key && had.text == s.text {
		return had.own, had.all, nil
	}
	if own, all, err = parseTemplate(s); err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[*file]parsedFile{}
	}
	p.all[s.file] = parsedFile{s.key, s.text, own, all}
	return own, all, nil
}

// known gives what is there of a file, under whatever key that was parsed; own
// is nil where nothing is.
func (p *parsedFiles) known(s *templateFile) (key string, own *parse.Tree, all map[string]*parse.Tree) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if had, ok := p.all[s.file]; ok && had.text == s.text {
		return had.key, had.own, had.all
	}
	return "", nil, nil
}

// forget lets the trees go.
func (p *parsedFiles) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = nil
}

func parseTemplate(s *templateFile) (own *parse.Tree, all map[string]*parse.Tree, err error) {
	all = map[string]*parse.Tree{}
	t := parse.New(s.key)
	t.Mode = parse.SkipFuncCheck
	own, err = t.Parse(s.text, "", "", all)
	return own, all, err
}
