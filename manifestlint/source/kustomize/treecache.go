package kustomize

import "sync"

// Limits of a treeCache: bytes of text, and the number of trees that are kept
// even if their text is larger. A tree takes thirty times the memory of its
// text.
const (
	maxTreeText = 256 << 10
	minTrees    = 4
)

// treeCache keeps the documents that were parsed last, to limit memory. It is
// safe for concurrent use.
type treeCache struct {
	mu    sync.Mutex
	trees []cachedTree
	size  int // bytes of the trees' texts
}

// cachedTree is a parsed document. drop removes it from its owner.
type cachedTree struct {
	size int
	drop func()
}

// add adds a tree, and drops the oldest ones if there are too many.
func (c *treeCache) add(size int, drop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trees, c.size = append(c.trees, cachedTree{size, drop}), c.size+size
	for c.size > maxTreeText && len(c.trees) > minTrees {
		c.trees[0].drop()
		c.size -= c.trees[0].size
		c.trees[0] = cachedTree{}
		c.trees = c.trees[1:]
	}
}
