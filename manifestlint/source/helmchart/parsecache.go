package helmchart

import (
	"sync"
	"text/template/parse"
)

// parseCache keeps the parsed template files of a chart, so that each is parsed
// once. The trees must not be changed. The zero value is empty. It is safe for
// concurrent use.
type parseCache struct {
	mu  sync.Mutex
	all map[*file]parsedTemplate
}

// parsedTemplate is a template file that was parsed.
type parsedTemplate struct {
	key, text string
	own       *parse.Tree
	all       map[string]*parse.Tree
}

// parse returns the tree of a template file, and all trees by name: its own,
// and those of its defines.
func (p *parseCache) parse(s *templateFile) (own *parse.Tree, all map[string]*parse.Tree, err error) {
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
		p.all = map[*file]parsedTemplate{}
	}
	p.all[s.file] = parsedTemplate{s.key, s.text, own, all}
	return own, all, nil
}

// known returns the trees of a file if it was parsed before, under any key.
// Otherwise own is nil.
func (p *parseCache) known(s *templateFile) (key string, own *parse.Tree, all map[string]*parse.Tree) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if had, ok := p.all[s.file]; ok && had.text == s.text {
		return had.key, had.own, had.all
	}
	return "", nil, nil
}

// forget drops the trees.
func (p *parseCache) forget() {
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
