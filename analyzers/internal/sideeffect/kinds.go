package sideeffect

import (
	"strings"
	"unicode"
)

// kind is an entry in the list of side effects: functions or methods of a library that
// certainly change something outside the program. A function whose arguments decide is in
// calls.go.
//
// Some effects are not in the list, because a dry run is not expected to prevent them.
// These are logging, metrics, traces, changes in memory, temporary files, events, locks,
// leases, and reads.
type kind struct {
	// path is the import path. Packages below the path count, too, such as major versions
	// and the packages of an SDK.
	path string
	// types are the names of the receivers. They are empty for functions. A * stands for
	// any text.
	types []string
	// names are the names of the functions or methods. A * stands for any text. If names is
	// empty, the name of a method must begin with a verb that changes something.
	names []string
	// text describes the effect, as in "changes a database".
	text string
}

// Texts of several kinds.
const (
	database = "changes a database"
	message  = "sends a message"
	keyValue = "changes a key-value store"
	cloud    = "changes cloud resources"
	forge    = "changes a repository host"
	post     = "sends an HTTP POST request"
)

var kinds = []kind{
	// Databases. calls.go examines the SQL text for database/sql and similar packages.
	{"gorm.io/gorm", []string{"DB"}, []string{"Create", "CreateInBatches", "Save", "Update", "Updates", "UpdateColumn", "UpdateColumns", "Delete", "Exec", "FirstOrCreate"}, database},
	{"github.com/jinzhu/gorm", []string{"DB"}, []string{"Create", "Save", "Update", "Updates", "UpdateColumn", "UpdateColumns", "Delete", "Exec", "FirstOrCreate"}, database},
	{"xorm.io/xorm", []string{"Session", "Engine", "EngineGroup"}, []string{"Insert", "InsertOne", "InsertMulti", "Update", "Delete"}, database},
	{"github.com/uptrace/bun", []string{"InsertQuery", "UpdateQuery", "DeleteQuery"}, []string{"Exec"}, database},
	{"go.mongodb.org/mongo-driver", []string{"Collection"}, []string{"InsertOne", "InsertMany", "UpdateOne", "UpdateMany", "UpdateByID", "ReplaceOne", "DeleteOne", "DeleteMany", "BulkWrite", "FindOneAndUpdate", "FindOneAndReplace", "FindOneAndDelete", "Drop"}, database},

	// Key-value stores.
	{"go.etcd.io/etcd/client", []string{"KV", "Client"}, []string{"Put", "Delete"}, keyValue},
	{"go.etcd.io/etcd/clientv3", []string{"KV", "Client"}, []string{"Put", "Delete"}, keyValue},
	{"github.com/hashicorp/consul/api", []string{"KV"}, []string{"Put", "Delete", "DeleteTree", "CAS"}, keyValue},
	{"github.com/hashicorp/vault/api", []string{"KVv1", "KVv2"}, []string{"Put", "Patch", "Delete", "DeleteVersions", "Destroy", "DeleteMetadata", "PutMetadata"}, keyValue},
	{"github.com/hashicorp/vault/api", []string{"Logical"}, []string{"Delete", "DeleteWithContext"}, keyValue},

	// Messages.
	{"github.com/segmentio/kafka-go", []string{"Writer"}, []string{"WriteMessages"}, message},
	{"github.com/IBM/sarama", []string{"SyncProducer"}, []string{"SendMessage", "SendMessages"}, message},
	{"github.com/Shopify/sarama", []string{"SyncProducer"}, []string{"SendMessage", "SendMessages"}, message},
	{"github.com/confluentinc/confluent-kafka-go", []string{"Producer"}, []string{"Produce"}, message},
	{"github.com/twmb/franz-go/pkg/kgo", []string{"Client"}, []string{"Produce", "ProduceSync", "TryProduce"}, message},
	{"github.com/nats-io/nats.go", []string{"Conn", "EncodedConn", "JetStream", "JetStreamContext", "Publisher"}, []string{"Publish*"}, message},
	{"github.com/rabbitmq/amqp091-go", []string{"Channel"}, []string{"Publish*"}, message},
	{"github.com/streadway/amqp", []string{"Channel"}, []string{"Publish*"}, message},
	{"github.com/eclipse/paho.mqtt.golang", []string{"Client"}, []string{"Publish"}, message},
	{"cloud.google.com/go/pubsub", []string{"Topic", "Publisher"}, []string{"Publish"}, message},
	{"github.com/Azure/azure-sdk-for-go/sdk/messaging", []string{"Sender", "ProducerClient"}, []string{"Send*"}, message},
	{"github.com/cloudevents/sdk-go", []string{"Client"}, []string{"Send"}, message},
	{"github.com/slack-go/slack", []string{"Client"}, []string{"PostMessage*", "SendMessage*", "UploadFile*"}, message},
	{"net/smtp", nil, []string{"SendMail"}, message},
	{"gopkg.in/gomail.v2", []string{"Dialer"}, []string{"DialAndSend"}, message},

	// HTTP requests whose method changes something. A POST whose answer is read may be a
	// question: see answerUsed.
	{"net/http", nil, []string{"Post", "PostForm"}, post},
	{"net/http", []string{"Client"}, []string{"Post", "PostForm"}, post},
	{"github.com/go-resty/resty", []string{"Request"}, []string{"Put", "Patch", "Delete"}, "sends a writing HTTP request"},
	{"github.com/hashicorp/go-retryablehttp", nil, []string{"Post", "PostForm"}, post},
	{"github.com/hashicorp/go-retryablehttp", []string{"Client"}, []string{"Post", "PostForm"}, post},

	// Files. calls.go examines the flags of os.OpenFile.
	{"os", nil, []string{"WriteFile", "Create"}, "writes a file"},
	{"io/ioutil", nil, []string{"WriteFile"}, "writes a file"},
	{"os", nil, []string{"Remove", "RemoveAll", "Rename", "Truncate", "Symlink", "Link"}, "changes files"},

	// Clouds and hosts of repositories. The names of methods in their generated clients
	// describe the effects.
	{"github.com/aws/aws-sdk-go/service", []string{"*"}, nil, cloud},
	{"github.com/aws/aws-sdk-go-v2/service", []string{"Client"}, nil, cloud},
	{"github.com/aws/aws-sdk-go-v2/feature/s3/manager", []string{"Uploader"}, []string{"Upload"}, cloud},
	{"cloud.google.com/go", []string{"*Client"}, nil, cloud},
	{"cloud.google.com/go/storage", []string{"ObjectHandle", "BucketHandle"}, []string{"Create", "Update", "Delete"}, cloud},
	{"github.com/Azure/azure-sdk-for-go", []string{"*Client"}, nil, cloud},
	{"github.com/aliyun/alibaba-cloud-sdk-go/services", []string{"Client"}, nil, cloud},
	{"github.com/alibabacloud-go", []string{"Client"}, nil, cloud},
	{"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud", []string{"Client"}, nil, cloud},
	{"github.com/huaweicloud/huaweicloud-sdk-go-v3/services", []string{"*Client"}, nil, cloud},
	{"github.com/digitalocean/godo", []string{"*Service", "*ServiceOp"}, nil, cloud},
	{"github.com/hetznercloud/hcloud-go", []string{"*Client"}, nil, cloud},
	{"github.com/oracle/oci-go-sdk", []string{"*Client"}, nil, cloud},
	{"github.com/cloudflare/cloudflare-go", []string{"API"}, nil, cloud},
	{"github.com/minio/minio-go", []string{"Client"}, []string{"PutObject", "FPutObject", "RemoveObject", "RemoveObjects", "MakeBucket", "RemoveBucket"}, cloud},
	{"github.com/google/go-github", []string{"*Service"}, nil, forge},
	{"github.com/xanzy/go-gitlab", []string{"*Service"}, nil, forge},
	{"gitlab.com/gitlab-org/api/client-go", []string{"*Service", "*ServiceInterface"}, nil, forge},
}

// verbs has the first words of names of generated methods that change something.
var verbs = set("Create", "Put", "Delete", "Update", "Modify", "Attach", "Detach", "Terminate", "Run", "Start", "Stop", "Reboot",
	"Tag", "Untag", "Send", "Publish", "Register", "Deregister", "Unregister", "Associate", "Disassociate", "Authorize", "Revoke",
	"Allocate", "Release", "Assign", "Unassign", "Add", "Remove", "Set", "Insert", "Patch", "Enable", "Disable", "Upload", "Import", "Copy",
	"Replace", "Restore", "Edit", "Destroy", "Purge", "Provision", "Deprovision", "Begin")

func set(list ...string) map[string]bool {
	m := map[string]bool{}
	for _, s := range list {
		m[s] = true
	}
	return m
}

// changing reports whether the name of a method says that it changes something.
func changing(name string) bool {
	verb, rest := FirstWord(name)
	if verb == "Begin" { // Azure has names such as BeginCreateOrUpdate
		verb, _ = FirstWord(rest)
		return verb != "" && verb != "Begin" && verbs[verb]
	}
	return verbs[verb] && !Virtual(rest) && !telemetry[rest]
}

// telemetry has the words after the verb in methods that only send metrics, logs or traces.
var telemetry = set("MetricData", "LogEvents", "TraceSegments", "TelemetryRecords", "TimeSeries", "ServiceTimeSeries")

// FirstWord splits a name before its second word, as CreateAlertRule into Create and
// AlertRule.
func FirstWord(name string) (word, rest string) {
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			return name[:i], name[i:]
		}
	}
	return name, ""
}

// Virtual reports whether methods that create this noun, such as CreateToken, only return
// it and store nothing.
func Virtual(noun string) bool {
	return strings.HasSuffix(noun, "Review") || strings.Contains(noun, "Token") || strings.HasSuffix(noun, "Options") ||
		strings.HasSuffix(noun, "Request") || strings.HasSuffix(noun, "Context") || strings.HasSuffix(noun, "Client")
}

// fits reports whether a name matches one of the patterns.
func fits(patterns []string, name string) bool {
	for _, p := range patterns {
		if before, after, star := strings.Cut(p, "*"); p == name ||
			star && len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return true
		}
	}
	return false
}

// below reports whether an import path is base or is below base.
func below(path, base string) bool {
	rest, ok := strings.CutPrefix(path, base)
	return ok && (rest == "" || rest[0] == '/')
}
