package cluster

import (
	"fmt"
	"io"
	"os"

	"k8s.io/client-go/tools/clientcmd"
)

// maxKubeconfig is the largest size of a kubeconfig, in bytes. A kubeconfig
// with a thousand clusters and their certificates has half this size.
const maxKubeconfig = 16 << 20

// kubeconfig loads the configuration that kubectl would use. It refuses files
// that are too large, because client-go reads a file as a whole. A pipe such as
// the shell's <(command) has no size, so kubeconfig reads it without client-go.
func kubeconfig(o Options) (clientcmd.ClientConfig, error) {
	loading := clientcmd.NewDefaultClientConfigLoadingRules()
	loading.ExplicitPath = o.Kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: o.Context}
	files := loading.GetLoadingPrecedence()
	for _, name := range files {
		info, err := os.Stat(name)
		switch {
		case err != nil, info.IsDir(): // client-go reports the error
		case info.Mode().IsRegular() && info.Size() > maxKubeconfig:
			return nil, tooLarge(name)
		case info.Mode().IsRegular():
		case len(files) > 1:
			return nil, fmt.Errorf("%s is not a regular file; read it with --kubeconfig", name)
		default:
			return stream(name, loading, overrides)
		}
	}
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(loading, overrides), nil
}

// stream loads a configuration from a file without a size.
func stream(name string, loading *clientcmd.ClientConfigLoadingRules, overrides *clientcmd.ConfigOverrides) (clientcmd.ClientConfig, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxKubeconfig+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxKubeconfig {
		return nil, tooLarge(name)
	}
	config, err := clientcmd.Load(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	// Relative paths in a kubeconfig start at its directory.
	for _, c := range config.Clusters {
		c.LocationOfOrigin = name
	}
	for _, u := range config.AuthInfos {
		u.LocationOfOrigin = name
	}
	if err := clientcmd.ResolveLocalPaths(config); err != nil {
		return nil, err
	}
	return clientcmd.NewNonInteractiveClientConfig(*config, overrides.CurrentContext, overrides, loading), nil
}

func tooLarge(name string) error {
	return fmt.Errorf("%s is larger than %d MiB", name, maxKubeconfig>>20)
}
