package auditserve

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/kubevet/kubevet/internal/quote"
)

// Certificates are the names of PEM files.
type Certificates struct {
	// Cert and Key are the server's. ClientCA has the authorities of clients; empty for
	// clients without certificates.
	Cert, Key, ClientCA string
}

// recheck is how often the files are read again: they are replaced before they expire.
const recheck = time.Minute

// certificates has the content of the files when they were last read.
type certificates struct {
	files    Certificates
	complain func(format string, args ...any)

	mu     sync.Mutex
	config *tls.Config
	read   time.Time
}

// newCertificates reads the files.
func newCertificates(files Certificates, complain func(string, ...any)) (*certificates, error) {
	c := &certificates{files: files, complain: complain, read: time.Now()}
	var err error
	c.config, err = files.config()
	return c, err
}

// server returns the configuration of a server, which follows the files.
func (c *certificates) server() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			if time.Since(c.read) < recheck {
				return c.config, nil
			}
			c.read = time.Now()
			config, err := c.files.config()
			if err != nil {
				c.complain("still using the certificates read before: %v", err)
				return c.config, nil
			}
			c.config = config
			return c.config, nil
		},
	}
}

// config returns the configuration of one connection.
func (f Certificates) config() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	if f.ClientCA == "" {
		return config, nil
	}
	text, err := os.ReadFile(f.ClientCA)
	if err != nil {
		return nil, fmt.Errorf("--client-ca: %w", err)
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--client-ca: %w", errors.New(quote.Name(f.ClientCA)+" has no certificate in PEM"))
	}
	config.ClientAuth = tls.RequireAndVerifyClientCert
	return config, nil
}
