package sideeffect

import (
	"go/token"
	"go/types"
	"path"
	"testing"
)

// libraryFunction returns a function of a library. If recv is not empty, it is a method of
// the type with this name.
func libraryFunction(importPath, recv, name string, params *types.Tuple, variadic bool) *types.Func {
	pkg := types.NewPackage(importPath, path.Base(importPath))
	var receiver *types.Var
	if recv != "" {
		t := types.NewNamed(types.NewTypeName(token.NoPos, pkg, recv, nil), types.NewStruct(nil, nil), nil)
		receiver = types.NewVar(token.NoPos, pkg, "", types.NewPointer(t))
	}
	return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(receiver, nil, nil, params, nil, variadic))
}

func TestKinds(t *testing.T) {
	for _, c := range []struct{ path, recv, name, want string }{
		{"gorm.io/gorm", "DB", "Save", database},
		{"gorm.io/gorm", "DB", "First", ""},
		{"go.mongodb.org/mongo-driver/v2/mongo", "Collection", "InsertOne", database},
		{"go.mongodb.org/mongo-driver/mongo", "Collection", "Find", ""},
		{"go.etcd.io/etcd/client/v3", "KV", "Put", keyValue},
		{"go.etcd.io/etcd/client/v3", "KV", "Get", ""},
		{"github.com/nats-io/nats.go", "Conn", "PublishMsg", message},
		{"github.com/nats-io/nats.go/jetstream", "JetStream", "Publish", message},
		{"github.com/nats-io/nats.go", "Conn", "Subscribe", ""},
		{"github.com/confluentinc/confluent-kafka-go/v2/kafka", "Producer", "Produce", message},
		{"net/smtp", "", "SendMail", message},
		{"net/http", "", "Post", post},
		{"net/http", "", "Get", ""},
		{"net/http", "Client", "PostForm", post},
		{"github.com/go-resty/resty/v2", "Request", "Delete", "sends a writing HTTP request"},
		{"github.com/aws/aws-sdk-go-v2/service/sqs", "Client", "SendMessage", cloud},
		{"github.com/aws/aws-sdk-go-v2/service/ec2", "Client", "DescribeInstances", ""},
		{"github.com/aws/aws-sdk-go/service/sts", "STS", "AssumeRole", ""},
		{"github.com/aws/aws-sdk-go/service/cloudwatch", "CloudWatch", "PutMetricData", ""},
		{"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/dns/armdns", "ZonesClient", "BeginDelete", cloud},
		{"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/dns/armdns", "ZonesClient", "Get", ""},
		{"google.golang.org/api/compute/v1", "InstancesInsertCall", "Do", cloud},
		{"google.golang.org/api/compute/v1", "InstancesListCall", "Do", ""},
		{"cloud.google.com/go/storage", "ObjectHandle", "Delete", cloud},
		{"github.com/aliyun/alibaba-cloud-sdk-go/services/ecs", "Client", "RevokeSecurityGroup", cloud},
		{"github.com/aliyun/alibaba-cloud-sdk-go/services/ecs", "Client", "DescribeSecurityGroups", ""},
		{"github.com/alibabacloud-go/alidns-20150109/v4/client", "Client", "AddDomainRecord", cloud},
		{"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/clb/v20180317", "Client", "CreateLoadBalancer", cloud},
		{"github.com/huaweicloud/huaweicloud-sdk-go-v3/services/dns/v2", "DnsClient", "DeleteRecordSet", cloud},
		{"github.com/digitalocean/godo", "DomainsServiceOp", "CreateRecord", cloud},
		{"github.com/digitalocean/godo", "DomainsService", "Delete", cloud},
		{"github.com/digitalocean/godo", "DomainsService", "Records", ""},
		{"github.com/hetznercloud/hcloud-go/v2/hcloud", "ServerClient", "Delete", cloud},
		{"github.com/oracle/oci-go-sdk/v65/dns", "DnsClient", "UpdateRRSet", cloud},
		{"github.com/cloudflare/cloudflare-go", "API", "CreateDNSRecord", cloud},
		{"github.com/google/go-github/v66/github", "IssuesService", "CreateComment", forge},
		{"github.com/google/go-github/v66/github", "IssuesService", "ListComments", ""},
		{"example.com/gorm.io/gorm", "DB", "Save", ""},
		{"gorm.io/gormigrate", "DB", "Save", ""},
	} {
		callee := libraryFunction(c.path, c.recv, c.name, nil, false)
		got := ""
		if s := subjectOf(callee.Pkg()); s != 0 {
			got = s.text(nil, callee)
		}
		if got != c.want {
			t.Errorf("%s %s.%s: %q, want %q", c.path, c.recv, c.name, got, c.want)
		}
	}
}

func TestKindsAreComplete(t *testing.T) {
	for _, k := range kinds {
		if k.path == "" || k.text == "" || len(k.types) == 0 && len(k.names) == 0 {
			t.Errorf("%+v matches nothing, or everything", k)
		}
	}
}

func TestGRPC(t *testing.T) {
	grpc := types.NewPackage("google.golang.org/grpc", "grpc")
	option := types.NewNamed(types.NewTypeName(token.NoPos, grpc, "CallOption", nil), types.NewInterfaceType(nil, nil), nil)
	v := func(t types.Type) *types.Var { return types.NewVar(token.NoPos, nil, "", t) }
	params := types.NewTuple(v(types.Typ[types.Int]), v(types.Typ[types.Int]), v(types.NewSlice(option)))
	for name, want := range map[string]bool{"CreateVolume": true, "DeleteVolume": true, "GetVolume": false, "CreateToken": false, "Check": false} {
		if got := callsOverGRPC(libraryFunction("example.com/api", "client", name, params, true)); got != want {
			t.Errorf("%s changes something: %v, want %v", name, got, want)
		}
	}
	if callsOverGRPC(libraryFunction("example.com/api", "client", "CreateVolume", types.NewTuple(v(types.NewSlice(option))), true)) {
		t.Error("a function of options alone is taken for a call")
	}
}

func TestPatterns(t *testing.T) {
	var p Patterns
	if err := p.Set("example.com/mail.Send, gopkg.in/bus.v2.Client.Publish*,example.com/m/v2.*.Put,example.com/all.*.*"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, recv, name string
		want             bool
	}{
		{"example.com/mail", "", "Send", true},
		{"example.com/mail", "Client", "Send", false},
		{"example.com/mail/v2", "", "Send", false},
		{"gopkg.in/bus.v2", "Client", "PublishAll", true},
		{"gopkg.in/bus.v2", "Client", "Subscribe", false},
		{"example.com/m/v2", "Any", "Put", true},
		{"example.com/m/v2", "", "Put", false},
		{"example.com/all", "Any", "Thing", true},
	} {
		if got := p.has(libraryFunction(c.path, c.recv, c.name, nil, false)); got != c.want {
			t.Errorf("%s %s.%s: %v, want %v", c.path, c.recv, c.name, got, c.want)
		}
	}
	for _, text := range []string{"example.com/mail", "Send", "example.com/mail.send", ".Send"} {
		if err := new(Patterns).Set(text); err == nil {
			t.Errorf("%q is taken for a pattern", text)
		}
	}
	if err := p.Set(""); err != nil || p.String() != "" || p.has(libraryFunction("example.com/mail", "", "Send", nil, false)) {
		t.Error("patterns are not taken back")
	}
}
