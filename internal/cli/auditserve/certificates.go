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

// Certificates has the names of PEM files.
type Certificates struct {
	// Cert and Key belong to the server. ClientCA has the authorities that sign client
	// certificates. If it is empty, clients need no certificate.
	Cert, Key, ClientCA string
}

// recheck is the time after which the files are read again. Certificates are replaced by
// new files before they expire.
const recheck = time.Minute

// certificates has the content of the files. It reads them again after recheck.
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

// server returns the configuration of a server. Each new connection uses the newest
// certificates.
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

// config reads the files and returns the configuration for one connection.
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
