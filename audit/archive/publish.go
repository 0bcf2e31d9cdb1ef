package archive

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
)

const (
	// batchRecords and batchBytes limit one batch.
	batchRecords = 500
	batchBytes   = 1 << 20
	// partBytes is the size of a part of a payload, below the default limit of a server.
	partBytes = 512 << 10
	// answerWait is the longest wait for an answer of the server.
	answerWait = 10 * time.Second
	// A failed step is retried after a pause, which doubles.
	firstPause = 10 * time.Millisecond
	lastPause  = 5 * time.Second
	// Between two batches the publisher yields to writers, for yieldTimes the duration of a batch, within these limits.
	yieldTimes = 9
	yieldLeast = 200 * time.Millisecond // few large batches cost less than many small ones
	yieldMost  = 2 * time.Second
	yieldStep  = 20 * time.Millisecond
)

// Publisher publishes the main stream of one log.
type Publisher struct {
	o Options
	s subjects

	mu        sync.Mutex // guards the fields below
	asked     bool       // a server has answered
	published audit.Head
	problem   string // of Problem
}

// NewPublisher makes the publisher of a source's log. The name of the source has letters, digits, "-" and "_".
func NewPublisher(source string, o Options) (*Publisher, error) {
	if !token().MatchString(source) {
		return nil, fmt.Errorf("archive: %q is not the name of a source: letters, digits, - and _", source)
	}
	o = o.withDefaults()
	return &Publisher{o: o, s: subjects{o.Prefix, source}}, nil
}

// Published returns the last record that the stream is known to have; the zero Head before a server has answered.
func (p *Publisher) Published() audit.Head {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.published
}

// answered returns the same as Published, and whether a server has answered.
func (p *Publisher) answered() (audit.Head, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.published, p.asked
}

// setPublished stores the last record in the stream; 0 means that a server has answered and the stream has none.
func (p *Publisher) setPublished(seq int64, hash []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked, p.published = true, audit.Head{}
	if seq > 0 {
		p.published = audit.Head{Stream: "main", Seq: seq, Hash: hex.EncodeToString(hash), Time: p.o.Clock().UnixMilli()}
	}
}

// Run publishes the records of the log, present and future, until ctx ends, and returns the error of ctx. It begins
// after the last record in the stream. It retries after a failure.
func (p *Publisher) Run(ctx context.Context, js jetstream.JetStream, log *audit.Log) error {
	watch := &watch{log: log}
	defer watch.end()
	note := p.noteBeside(log)
	defer note(true)
	pause := firstPause
	for ctx.Err() == nil {
		at, err := p.resume(ctx, js, log)
		note(true)
		for err == nil {
			var n int
			began := p.o.Clock()
			n, err = at.publishSome(ctx)
			note(n == 0)
			switch {
			case err != nil:
			case n == 0:
				err = watch.wait(ctx)
			default:
				watch.end()
				pause = firstPause
				err = at.yield(ctx, p.o.Clock().Sub(began))
			}
		}
		if ctx.Err() != nil {
			break
		}
		if large := (*tooLarge)(nil); errors.As(err, &large) {
			p.stuck(ctx, js, large)
			continue
		}
		p.o.Logger.Warn("archive: publishing is tried again", "source", p.s.source, "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause = min(2*pause, lastPause)
	}
	return ctx.Err()
}

// noteEvery is the interval for storing the number of the last published record while more is to publish.
const noteEvery = time.Second

// noteBeside marks the log as published, in a file next to it. The returned function stores the last published record,
// at once or if the interval is over.
func (p *Publisher) noteBeside(log *audit.Log) (note func(now bool)) {
	const notAsked = "?" // the stream was not asked yet: the stored head stays
	noted, at := audit.Head{Hash: notAsked}, time.Time{}
	store := func(h audit.Head) {
		if err := log.NotePublished(h); err != nil {
			p.o.Logger.Error("archive: how far the log is published is not noted", "source", p.s.source, "error", err)
			return
		}
		noted, at = h, p.o.Clock()
	}
	if is, err := log.IsPublished(); !is || err != nil {
		store(audit.Head{})
	}
	return func(now bool) {
		h, asked := p.answered()
		if asked && h.Hash != noted.Hash && (now || p.o.Clock().Sub(at) >= noteEvery) {
			store(h)
		}
	}
}

// watch waits for changes of a log. It does not watch during publication, because each commit of a writer would pay for
// it.
type watch struct {
	log     *audit.Log
	changes <-chan struct{}
	cancel  context.CancelFunc // nil: it does not watch
}

// wait returns when the log may have changed since the last call. The first call returns at once.
func (w *watch) wait(ctx context.Context) error {
	if w.cancel == nil {
		ctx, w.cancel = context.WithCancel(ctx)
		w.changes = w.log.Changes(ctx)
		return nil
	}
	select {
	case <-w.changes:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *watch) end() {
	if w.cancel != nil {
		w.cancel()
		w.cancel = nil
	}
}

// yield leaves the processor to writers: it waits several times as long as the last batch took, until a moment without
// a write, or the limit.
func (p *publishing) yield(ctx context.Context, took time.Duration) error {
	wait := min(max(yieldTimes*took, yieldLeast), yieldMost)
	for waited := time.Duration(0); waited < wait; waited += yieldStep {
		before, err := p.log.LastHead(ctx)
		if err != nil {
			return err
		}
		select {
		case <-time.After(yieldStep):
		case <-ctx.Done():
			return ctx.Err()
		}
		if after, err := p.log.LastHead(ctx); err != nil || after.Seq == before.Seq {
			return err
		}
	}
	return nil
}

// publishing is a publisher with the state of its stream.
type publishing struct {
	*Publisher
	js     jetstream.JetStream
	stream jetstream.Stream
	log    *audit.Log
	after  int64         // the last published record
	hash   []byte        // its hash
	last   uint64        // stream number of the last record's message; 0 for none
	begin  audit.Removal // the removal of the records before the first
}

// publishSome publishes the next records and returns their number.
func (p *publishing) publishSome(ctx context.Context) (int, error) {
	records, err := p.log.Chained(ctx, p.after, batchRecords, batchBytes)
	if err != nil || len(records) == 0 {
		return 0, p.replaced(ctx, err)
	}
	if p.last > 0 && !bytes.Equal(records[0].Prev, p.hash) {
		return 0, errReplaced
	}
	fit, err := p.fitting(records)
	if err != nil {
		return 0, err
	}
	records = records[:fit]
	for i := range records {
		// The erasure precedes the record about it, so that a publisher that dies in between repeats it.
		if ranges := records[i].Erased(); len(ranges) > 0 {
			if err := p.eraseFromStream(ctx, ranges); err != nil {
				return 0, fmt.Errorf("erase payloads from the stream: %w", err)
			}
		}
	}
	places, err := p.publishPayloads(ctx, records)
	if err != nil {
		return 0, fmt.Errorf("publish payloads: %w", err)
	}
	messages := make([]*nats.Msg, len(records))
	for i := range records {
		messages[i] = p.s.recordMessage(&records[i], places[i])
	}
	if p.last == 0 && p.begin.UpTo > 0 {
		messages[0].Header.Set(headerRemoved, removedHeader(p.begin))
	}
	if p.last, err = p.publishTogether(ctx, messages); err != nil {
		return 0, fmt.Errorf("publish records: %w", err)
	}
	newest := &records[len(records)-1]
	p.after, p.hash = newest.Seq, newest.Hash
	p.setPublished(p.after, p.hash)
	p.mu.Lock()
	p.problem = ""
	p.mu.Unlock()
	return len(records), nil
}

// errReplaced means that the log is no longer the published one, because a copy was restored.
var errReplaced = errors.New("archive: the log was replaced by a copy")

// replaced returns errReplaced if the log lacks the last published record.
func (p *publishing) replaced(ctx context.Context, err error) error {
	if err != nil || p.last == 0 {
		return err
	}
	hash, err := p.log.HashOf(ctx, p.after)
	if err == nil && !bytes.Equal(hash, p.hash) {
		err = errReplaced
	}
	return err
}

// publishPayloads publishes the payloads of records and returns their stream numbers. Repeating it is harmless.
func (p *publishing) publishPayloads(ctx context.Context, records []audit.Chained) ([][]uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	type part struct {
		of     int
		answer jetstream.PubAckFuture
	}
	var parts []part
	for i := range records {
		for _, m := range p.s.payloadMessages(&records[i], partBytes) {
			answer, err := p.js.PublishMsgAsync(m, jetstream.WithExpectStream(p.o.Stream))
			if err != nil {
				return nil, err
			}
			parts = append(parts, part{i, answer})
		}
	}
	places := make([][]uint64, len(records))
	for _, one := range parts {
		select {
		case ok := <-one.answer.Ok():
			places[one.of] = append(places[one.of], ok.Sequence)
		case err := <-one.answer.Err():
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return places, nil
}

// publishTogether publishes the messages of records atomically, if the stream's last message of the source is still the
// expected one. It returns the stream number of the last message.
func (p *publishing) publishTogether(ctx context.Context, messages []*nats.Msg) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	nc, id := p.js.Conn(), rand.Text()
	messages[0].Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(p.last, 10))
	if len(messages) > 1 {
		for i, m := range messages {
			m.Header.Set(headerBatch, id)
			m.Header.Set(headerBatchSeq, strconv.Itoa(i+1))
		}
		for _, m := range messages[:len(messages)-1] {
			if err := nc.PublishMsg(m); err != nil {
				return 0, err
			}
		}
		messages[len(messages)-1].Header.Set(headerBatchCommit, "1")
	}
	reply, err := nc.RequestMsgWithContext(ctx, messages[len(messages)-1])
	if err != nil {
		return 0, err
	}
	var answer struct {
		Error  *jetstream.APIError `json:"error"`
		Stream string              `json:"stream"`
		Seq    uint64              `json:"seq"`
		Count  int                 `json:"count"`
	}
	switch err := json.Unmarshal(reply.Data, &answer); {
	case err != nil:
		return 0, fmt.Errorf("the server's answer %.200q: %w", reply.Data, err)
	case answer.Error != nil:
		return 0, answer.Error
	case answer.Stream != p.o.Stream || answer.Seq == 0 || len(messages) > 1 && answer.Count != len(messages):
		return 0, fmt.Errorf("the server's answer %.200q is not about these records", reply.Data)
	}
	return answer.Seq, nil
}
