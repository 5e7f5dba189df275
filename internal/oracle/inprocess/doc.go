// Package inprocess sends requests to a whole kube-apiserver of the newest
// release that runs in the test. Linking it takes minutes and two gigabytes, so
// the test needs the build tag inprocess.
package inprocess
