package archive

import (
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/chain"
)

// Options configure publishers and archives. The zero value is ready to use.
type Options struct {
	// Stream is the name of the stream in JetStream. Default "AUDIT".
	Stream string
	// Prefix is the first part of the subjects. Default "audit".
	Prefix string
	// MaxOpen limits the open logs of an archive. Default 64.
	MaxOpen int
	// Clock returns the time of alarms. Default time.Now.
	Clock func() time.Time
	// Alarm is called with each new alarm of an archive, and with each record that a publisher cannot publish. It may
	// be nil.
	Alarm func(Alarm)
	// Logger gets the errors that are retried. Default: discarded.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Stream == "" {
		o.Stream = "AUDIT"
	}
	if o.Prefix == "" {
		o.Prefix = "audit"
	}
	if o.MaxOpen <= 0 {
		o.MaxOpen = 64
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Alarm == nil {
		o.Alarm = func(Alarm) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// StreamConfig returns the configuration of the stream with this number of replicas.
func (o Options) StreamConfig(replicas int) jetstream.StreamConfig {
	o = o.withDefaults()
	return jetstream.StreamConfig{Name: o.Stream, Description: "Records of audit logs",
		Subjects: []string{o.Prefix + ".*.record", o.Prefix + ".*.payload.*"}, Replicas: replicas,
		Storage: jetstream.FileStorage, Discard: jetstream.DiscardNew, DenyPurge: true, AllowAtomicPublish: true}
}

// Headers of messages, in addition to those of JetStream.
const (
	headerSeq     = "Seq"     // number of the record
	headerSalt    = "Salt"    // of a payload, hex
	headerPayload = "Payload" // of a record: the stream numbers of its payload
	headerRemoved = "Removed" // of a record: the request that removed earlier ones, and the time
)

// Headers of a batch: https://github.com/nats-io/nats-architecture-and-design, ADR-50.
const (
	headerBatch       = "Nats-Batch-Id"
	headerBatchSeq    = "Nats-Batch-Sequence"
	headerBatchCommit = "Nats-Batch-Commit"
)

// inBucket is the number of records whose payloads share a subject. To find the payload of an erased record, the
// publisher searches one subject.
const inBucket = 256

// token matches the name of a source, which is a part of a subject and of a file name.
var token = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// subjects are the subjects of one source.
type subjects struct{ prefix, source string }

func (s subjects) record() string { return s.prefix + "." + s.source + ".record" }

func (s subjects) payloads() string { return s.prefix + "." + s.source + ".payload.*" }

func (s subjects) payload(seq int64) string {
	return fmt.Sprintf("%s.%s.payload.%d", s.prefix, s.source, seq/inBucket)
}

// sourceOf returns the source in a subject, and whether the message is a record.
func (o *Options) sourceOf(subject string) (source string, record, ok bool) {
	rest, ok := strings.CutPrefix(subject, o.Prefix+".")
	source, kind, _ := strings.Cut(rest, ".")
	return source, kind == "record", ok && token().MatchString(source)
}

// recordMessage returns the message of a record whose payload has these numbers in the stream.
func (s subjects) recordMessage(r *audit.Chained, payload []uint64) *nats.Msg {
	m := nats.NewMsg(s.record())
	m.Header.Set(jetstream.MsgIDHeader, hex.EncodeToString(r.Hash))
	m.Header.Set(headerSeq, strconv.FormatInt(r.Seq, 10))
	if len(payload) > 0 {
		m.Header.Set(headerPayload, strings.Trim(fmt.Sprint(payload), "[]"))
	}
	m.Data = r.Header.Append(nil, "main", r.Prev)
	return m
}

// payloadMessages returns the parts of a payload.
func (s subjects) payloadMessages(r *audit.Chained, most int) (parts []*nats.Msg) {
	for rest := r.Body; rest != nil; {
		m := nats.NewMsg(s.payload(r.Seq))
		m.Header.Set(jetstream.MsgIDHeader, fmt.Sprintf("%s.%x.%d", s.source, r.Hash, len(parts)))
		m.Header.Set(headerSeq, strconv.FormatInt(r.Seq, 10))
		m.Header.Set(headerSalt, hex.EncodeToString(r.Salt))
		n := min(most, len(rest))
		if m.Data, rest = rest[:n], rest[n:]; len(rest) == 0 {
			rest = nil
		}
		parts = append(parts, m)
	}
	return parts
}

// errMessage is the error for a message that no publisher sends.
var errMessage = errors.New("archive: this is not the message of a record")

// readRecord reads the message of a record: the record without its payload, and the stream numbers of the payload.
func readRecord(header nats.Header, data []byte) (r audit.Chained, payload []uint64, err error) {
	h, stream, prev, err := chain.Parse(data)
	hash, bad := hex.DecodeString(header.Get(jetstream.MsgIDHeader))
	if bad != nil || len(hash) != chain.Size || err == nil && stream != "main" {
		err = errMessage
	}
	for number := range strings.FieldsSeq(header.Get(headerPayload)) {
		n, bad := strconv.ParseUint(number, 10, 64)
		if bad != nil {
			return audit.Chained{}, nil, errMessage
		}
		payload = append(payload, n)
	}
	r = audit.Chained{Header: h, Prev: prev, Hash: hash}
	if err != nil {
		r.Seq, _ = strconv.ParseInt(header.Get(headerSeq), 10, 64) // for the alarm
	}
	return r, payload, err
}

// headIn reads the number and the hash of a record from the header of its message.
func headIn(header nats.Header) (seq int64, hash []byte, err error) {
	seq, err = strconv.ParseInt(header.Get(headerSeq), 10, 64)
	hash, bad := hex.DecodeString(header.Get(jetstream.MsgIDHeader))
	if err != nil || bad != nil || len(hash) != chain.Size {
		return 0, nil, errMessage
	}
	return seq, hash, nil
}

// removedHeader encodes the removal of earlier records by retention.
func removedHeader(r audit.Removal) string { return fmt.Sprintf("%d %s", r.Time, r.RequestID) }

// readRemoved decodes the removal of the records before the first one; the zero Removal if there was none.
func readRemoved(header nats.Header, first int64) (r audit.Removal) {
	when, request, ok := strings.Cut(header.Get(headerRemoved), " ")
	if !ok {
		return r
	}
	r.Time, _ = strconv.ParseInt(when, 10, 64)
	r.UpTo, r.RequestID = first-1, request
	return r
}
