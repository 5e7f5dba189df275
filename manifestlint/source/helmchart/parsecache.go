package helmchart

import (
	"sync"
	"text/template/parse"
)

// parseCache keeps the parsed template files of a chart. Callers must not
// change the trees. The zero value is empty. It is safe for concurrent use.
type parseCache struct {
	mu  sync.Mutex
	all map[*file]parsedTemplate
}

type parsedTemplate struct {
	key, text string
	main      *parse.Tree
	all       map[string]*parse.Tree
}

// parse returns the trees of a template file. main is the text outside of
// defines. all has main and the file's defines, by their names.
func (p *parseCache) parse(s *templateFile) (main *parse.Tree, all map[string]*parse.Tree, err error) {
	p.mu.Lock()
	cached, ok := p.all[s.file]
	p.mu.Unlock()
	if ok && cached.key == s.key && cached.text == s.text {
		return cached.main, cached.all, nil
	}
	if main, all, err = parseTemplate(s); err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[*file]parsedTemplate{}
	}
	p.all[s.file] = parsedTemplate{s.key, s.text, main, all}
	return main, all, nil
}

// cached returns the trees of a file and the name under which it was parsed.
// main is nil if the file was not parsed yet.
func (p *parseCache) cached(s *templateFile) (key string, main *parse.Tree, all map[string]*parse.Tree) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if parsed, ok := p.all[s.file]; ok && parsed.text == s.text {
		return parsed.key, parsed.main, parsed.all
	}
	return "", nil, nil
}

func (p *parseCache) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = nil
}

func parseTemplate(s *templateFile) (main *parse.Tree, all map[string]*parse.Tree, err error) {
	all = map[string]*parse.Tree{}
	t := parse.New(s.key)
	t.Mode = parse.SkipFuncCheck
	main, err = t.Parse(s.text, "", "", all)
	return main, all, err
}
