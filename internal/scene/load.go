package scene

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Set has recorded scenes and the answers of servers to them.
type Set struct {
	Scenes []Scene
	// Servers has the names of the servers in their order, such as "1.30".
	Servers []string
	answers map[string]map[string]Answers
}

// Load reads scenes.jsonl.gz and the answers of every server, SERVER.jsonl.gz, in a
// directory.
func Load(t testing.TB, dir string) *Set {
	t.Helper()
	s := &Set{answers: map[string]map[string]Answers{}}
	const scenes = "scenes.jsonl.gz"
	s.Scenes = lines[Scene](t, filepath.Join(dir, scenes))
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Base(file) == scenes {
			continue
		}
		server := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
		s.Servers = append(s.Servers, server)
		s.answers[server] = map[string]Answers{}
		for _, a := range lines[Answers](t, file) {
			s.answers[server][a.Scene] = a
		}
	}
	return s
}

// Answers returns the answers of a server in a scene. ok is false if the scene was not
// recorded for this server.
func (s *Set) Answers(server, scene string) (a Answers, ok bool) {
	a, ok = s.answers[server][scene]
	return a, ok
}

// Each runs a subtest for every server. It calls compare for every scene that was
// recorded for the server.
func (s *Set) Each(t *testing.T, compare func(t *testing.T, server string, scene *Scene, a Answers)) {
	t.Helper()
	for _, server := range s.Servers {
		t.Run(server, func(t *testing.T) {
			for i := range s.Scenes {
				if a, ok := s.Answers(server, s.Scenes[i].ID); ok {
					compare(t, server, &s.Scenes[i], a)
				}
			}
		})
	}
}

// Objects returns the objects in the server during the requests: the objects of s.Before
// that are not replaced, then the accepted objects of s.Context.
func (s *Scene) Objects(a Answers) []json.RawMessage {
	replaced := map[string]bool{}
	for _, obj := range s.Context {
		replaced[identity(obj)] = true
	}
	var objects []json.RawMessage
	for _, obj := range s.Before {
		if !replaced[identity(obj)] {
			objects = append(objects, obj)
		}
	}
	for i, obj := range s.Context {
		if i >= len(a.Context) || a.Context[i].Code < 400 {
			objects = append(objects, obj)
		}
	}
	return objects
}

func identity(obj json.RawMessage) string {
	var head struct {
		APIVersion, Kind string
		Metadata         struct{ Name, Namespace string }
	}
	if json.Unmarshal(obj, &head) != nil {
		return string(obj)
	}
	group, _, grouped := strings.Cut(head.APIVersion, "/")
	if !grouped {
		group = ""
	}
	return strings.Join([]string{group, head.Kind, head.Metadata.Namespace, head.Metadata.Name}, "/")
}

// lines reads a compressed file with one JSON value on each line.
func lines[T any](t testing.TB, name string) (all []T) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	scanner := bufio.NewScanner(z)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		var one T
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			t.Fatalf("reading %s: line %d: %v", name, len(all)+1, err)
		}
		all = append(all, one)
	}
	if err := scanner.Err(); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return all
}
