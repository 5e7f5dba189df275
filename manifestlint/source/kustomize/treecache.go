package kustomize

import "sync"

// Bounds of a treeCache: bytes of text, and a number of trees that are kept even
// if they exceed it. A tree takes thirty times the memory of its text.
const (
	maxTreeText = 256 << 10
	minTrees    = 4
)

// treeCache bounds the trees of documents that tracers keep: the most recently
// parsed ones. It is safe for concurrent use.
type treeCache struct {
	mu    sync.Mutex
	trees []cachedTree
	size  int // bytes of their texts
}

// cachedTree is a tree of a document. drop removes the reference to it.
type cachedTree struct {
	size int
	drop func()
}

// add adds a tree, and drops the ones that were added first if there are too
// many.
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
