package source

import "testing"

func TestExpandLinks(t *testing.T) {
	for _, test := range []expandTest{{
		name: "links within the directory go by the name of what they lead to",
		tree: `
			k/a.yaml -> z/real.yaml
			k/z/real.yaml
			k/z/up.yaml -> ../top.txt
			k/top.txt
			k/z/dir -> ../y
			k/y/b.yaml`,
		args: "k",
		want: "k/y/b.yaml\nk/z/real.yaml\nk/z/up.yaml",
	}, {
		name: "links lead to what is left out otherwise, in order",
		tree: `
			.git/
			.gitignore = build/
			a.yaml
			build/gen/c.yaml
			build/gen/d.txt
			build/e.yaml
			g -> build/gen
			f.yaml -> build/e.yaml
			z.yaml`,
		args: ".",
		want: "a.yaml\nf.yaml\ng/c.yaml\nz.yaml",
	}, {
		name: "loops",
		tree: `
			k/a.yaml
			k/loop -> .
			k/d/up -> ../..
			k/d/loop -> ../d
			k/d/b.yaml
			k/x.yaml -> y.yaml
			k/y.yaml -> x.yaml`,
		args: "k",
		want: `
			k/a.yaml
			k/d/b.yaml
			skipped link: k/d/up: symbolic link to ../.., which is outside of k
			skipped link: k/x.yaml: symbolic link to y.yaml leads in a circle
			skipped link: k/y.yaml: symbolic link to x.yaml leads in a circle`,
	}, {
		name: "loops under a glob",
		tree: "k/a.yaml\nk/loop -> .\nk/d/up -> ..\nk/d/b.yaml",
		args: "k/**/*.yaml",
		want: "k/a.yaml\nk/d/b.yaml",
	}, {
		name: "links out of the directory",
		tree: `
			k/a.yaml -> ../o/a.yaml
			k/b.txt -> ../o/a.yaml
			k/d -> ../o
			k/gone.yaml -> ../gone
			k/gone -> ../gone
			k/null.yaml -> /dev/null
			k/c.yaml
			o/a.yaml
			o/b.yaml`,
		args: "k",
		want: `
			k/c.yaml
			skipped link: k/a.yaml: symbolic link to ../o/a.yaml, which is outside of k
			skipped link: k/d: symbolic link to ../o, which is outside of k
			skipped link: k/gone.yaml: symbolic link to ../gone, which does not exist`,
	}, {
		name: "links out of the directory, followed",
		tree: `
			k/a.yaml -> ../o/a.yaml
			k/d -> ../o
			k/up -> ..
			k/c.yaml
			o/a.yaml
			o/b.yaml
			o/k -> ../k
			p.yaml`,
		args: "k o",
		o:    Options{FollowSymlinks: true},
		want: "k/a.yaml\nk/c.yaml\nk/d/b.yaml\nk/up/p.yaml",
	}, {
		name: "a name that only begins as the directory's is outside",
		tree: "k/a.yaml -> ../k2/a.yaml\nk/b.yaml\nk2/a.yaml",
		args: "k",
		want: "k/b.yaml\nskipped link: k/a.yaml: symbolic link to ../k2/a.yaml, which is outside of k",
	}, {
		name: "links as arguments",
		tree: "o/a.yaml\no/s/b.yaml\nl -> o\nm.yaml -> o/a.yaml",
		args: "m.yaml l",
		want: "m.yaml\nl/s/b.yaml",
	}, {
		name: "excluded links",
		tree: "k/a.yaml\nk/l -> z\nk/m.yaml -> t.txt\nk/t.txt\nk/z/b.yaml",
		args: "k",
		o:    Options{Exclude: []string{"l/", "m.yaml", "z"}},
		want: "k/a.yaml",
	}} {
		test.run(t)
	}
}
