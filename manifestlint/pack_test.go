package manifestlint

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestPacks reads texts back, in any order and while others are added.
func TestPacks(t *testing.T) {
	var ps packs
	var texts [][]byte
	var packed []*packedText
	for i := range 300 {
		text := bytes.Repeat(fmt.Appendf(nil, "text %d\n", i), i*i%700)
		if i == 150 {
			text = bytes.Repeat(text, 200) // more than a pack
		}
		texts, packed = append(texts, text), append(packed, ps.add(text))
		if at := i * 7 % (i + 1); !bytes.Equal(packed[at].read(), texts[at]) {
			t.Fatalf("text %d of %d is another one", at, i)
		}
	}
	ps.full()
	for _, i := range []int{299, 0, 150, 151, 1, 298} {
		one := packed[i].read()
		if !bytes.Equal(one, texts[i]) {
			t.Errorf("text %d is another one", i)
		}
		clear(one) // it is a copy
		if !bytes.Equal(packed[i].read(), texts[i]) {
			t.Errorf("text %d is another one later", i)
		}
	}
}

// What is gathered and compressed has the body that it is written with.
func TestGatherCompressed(t *testing.T) {
	const n = 3 * plainTexts >> 10
	var text strings.Builder
	for i := range n {
		if i%16 == 0 { // has to be parsed
			fmt.Fprintf(&text, "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"n%d\"}, \"x\": %q}\n---\n", i, strings.Repeat("x", 1<<10))
			continue
		}
		fmt.Fprintf(&text, "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: n%d\nx: %s\n---\n", i, strings.Repeat("x", 1<<10))
	}
	given, err := Gather(context.Background(), slices.Values([]Input{inMemory("a.yaml", text.String())}), GatherOptions{Kinds: []string{"Namespace"}, Workers: 2})
	if err != nil || len(given) != n {
		t.Fatalf("%d of %d, %v", len(given), n, err)
	}
	away := 0
	for i, g := range given {
		if g.Object.away != nil {
			away++
		}
		name := fmt.Sprint("n", i)
		for _, root := range []string{g.Object.Name, g.Object.Tree().At("metadata", "name").StringOr(""), new(Outlines).Of(g.Object, "x").At("metadata", "name").StringOr("")} {
			if root != name {
				t.Fatalf("object %d is named %q", i, root)
			}
		}
	}
	if away < n/3 {
		t.Errorf("%d of %d are compressed", away, n)
	}
}
