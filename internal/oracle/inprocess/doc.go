// Package inprocess starts a whole kube-apiserver of the newest release in the process of
// the test, and sends requests to it. Linking the test takes minutes and two gigabytes of
// memory, so it needs the build tag inprocess.
package inprocess
