package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/kubevet/kubevet/internal/scene"
)

// document is a scene in a YAML file.
type document struct {
	ID    string `json:"id"`
	From  string `json:"from"`
	To    string `json:"to"`
	Gates string `json:"gates"`
	// Mutating is true if the scene has MutatingAdmissionPolicies. The scene is sent only
	// to servers that apply these policies. $MUTATING in the scene becomes the version of
	// their API on the server.
	Mutating bool     `json:"mutating"`
	Before   []object `json:"before"`
	Context  []object `json:"context"`
	// Policies is a short form for validating policies with bindings. They are created
	// after Context.
	Policies []policy `json:"policies"`
	// Probes is a short form for pairs of a policy and a request.
	Probes   []probe   `json:"probes"`
	Requests []request `json:"requests"`
}

// object is a JSON object. With the field $base, it is a JSON merge patch to the object
// in objects.yaml that has this name.
type object = map[string]any

type request struct {
	scene.Request
	Old object `json:"old"`
	Obj object `json:"obj"`
}

// objectsFile is the file with the objects for $base.
const objectsFile = "objects.yaml"

// readScenes reads the scenes of all files below a directory. bases is the directory of
// objects.yaml.
func readScenes(dir, bases string) ([]scene.Scene, error) {
	b, err := readBases(filepath.Join(bases, objectsFile))
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var scenes []scene.Scene
	seen := map[string]bool{}
	for _, file := range files {
		if filepath.Base(file) == objectsFile {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		err := documents(file, func(d document) error {
			d.ID = name + "/" + d.ID
			expanded, err := b.expand(d)
			if err != nil {
				return fmt.Errorf("%s: %w", d.ID, err)
			}
			for _, s := range expanded {
				if seen[s.ID] {
					return fmt.Errorf("%s is there twice", s.ID)
				}
				seen[s.ID] = true
			}
			scenes = append(scenes, expanded...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return scenes, nil
}

// bases has the objects for $base by name.
type bases map[string]object

func readBases(file string) (bases, error) {
	b := bases{}
	err := documents(file, func(d struct {
		Name   string `json:"name"`
		Object object `json:"object"`
	}) error {
		b[d.Name] = d.Object
		return nil
	})
	return b, err
}

// documents calls take for each document of a YAML file.
func documents[T any](file string, take func(T) error) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	docs := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for n := 1; ; n++ {
		text, err := docs.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var d T
		data, err := yaml.YAMLToJSONStrict(text)
		if err == nil {
			decoder := json.NewDecoder(bytes.NewReader(data))
			decoder.UseNumber()
			decoder.DisallowUnknownFields()
			err = decoder.Decode(&d)
		}
		if err == nil {
			err = take(d)
		}
		if err != nil {
			return fmt.Errorf("%s: document %d: %w", file, n, err)
		}
	}
}

// built returns an object after it is merged into its $base.
func (b bases) built(obj object) (object, error) {
	name, ok := obj["$base"].(string)
	if !ok {
		return obj, nil
	}
	base, ok := b[name]
	if !ok {
		return nil, fmt.Errorf("no object %q in %s", name, objectsFile)
	}
	base, err := b.built(base)
	if err != nil {
		return nil, err
	}
	merged := merge(base, obj).(object)
	delete(merged, "$base")
	return merged, nil
}

// merge applies a JSON merge patch and returns a new value.
func merge(into, patch any) any {
	changes, ok := patch.(object)
	if !ok {
		return patch
	}
	merged := object{}
	if old, ok := into.(object); ok {
		for name, value := range old {
			merged[name] = value
		}
	}
	for name, value := range changes {
		if value == nil {
			delete(merged, name)
		} else {
			merged[name] = merge(merged[name], value)
		}
	}
	return merged
}
