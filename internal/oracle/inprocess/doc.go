// Package inprocess asks a whole kube-apiserver that runs in the test: the
// newest release, with what only a server has. Linking it takes minutes and two
// gigabytes, so that its test asks for the build tag inprocess.
package inprocess
