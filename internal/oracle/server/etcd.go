package server

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// startEtcd runs an etcd in this process. Its data may be lost when it ends.
func startEtcd(dir string) (address string, stop func(), err error) {
	config := embed.NewConfig()
	config.Dir = dir
	config.UnsafeNoFsync = true
	config.LogLevel = "error"
	for _, urls := range []*[]url.URL{&config.ListenClientUrls, &config.ListenPeerUrls} {
		port, err := freePort()
		if err != nil {
			return "", nil, err
		}
		*urls = []url.URL{{Scheme: "http", Host: "127.0.0.1:" + strconv.Itoa(port)}}
	}
	config.AdvertiseClientUrls, config.AdvertisePeerUrls = config.ListenClientUrls, config.ListenPeerUrls
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return "", nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return config.ListenClientUrls[0].String(), etcd.Close, nil
	case <-time.After(startTimeout):
		etcd.Close()
		return "", nil, fmt.Errorf("etcd: %w", errNotReady)
	}
}
