package archive

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/atomicfile"
)

const (
	// takeMessages and takeBytes limit one batch from the stream.
	takeMessages = 8000
	takeBytes    = 8 << 20
	// fillWait is the time for which a batch waits for further messages.
	fillWait = 20 * time.Millisecond
)

// position is a position in a stream. Created distinguishes streams of the same name.
type position struct {
	Created int64  `json:"created"` // ns since 1970
	Seq     uint64 `json:"seq"`
}

func (a *Archive) positionPath() string {
	return filepath.Join(a.folder, "position-"+hex.EncodeToString([]byte(a.o.Stream))+".json")
}

// position reads the stored position in the stream; the zero position if there is none.
func (a *Archive) position() (at position, err error) {
	text, err := os.ReadFile(a.positionPath())
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil
	}
	if err == nil && json.Unmarshal(text, &at) != nil {
		at = position{} // the file is incomplete: repeated messages are skipped
	}
	return at, err
}

// Run takes records from the stream until ctx ends, whose error it returns, or until it cannot write the archive. It
// retries after a failure of the server.
func (a *Archive) Run(ctx context.Context, js jetstream.JetStream) error {
	if err := a.mark(); err != nil {
		return err
	}
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		moved, err := a.follow(ctx, js)
		if local := (*localError)(nil); errors.As(err, &local) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if moved {
			pause = firstPause
		}
		a.o.Logger.Warn("archive: reading the stream is tried again", "stream", a.o.Stream, "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// localError is an error of the archive's files.
type localError struct{ error }

func (e *localError) Unwrap() error { return e.error }

func local(err error) error {
	if err == nil {
		return nil
	}
	return &localError{err}
}

// follow takes records until an error.
func (a *Archive) follow(ctx context.Context, js jetstream.JetStream) (moved bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := js.Stream(ctx, a.o.Stream)
	if err != nil {
		return false, err
	}
	at, err := a.position()
	if err != nil {
		return false, local(fmt.Errorf("archive: read the position: %w", err))
	}
	info := stream.CachedInfo()
	// For another stream, or an earlier state of it, start at the beginning: repeated records are skipped.
	if created := info.Created.UnixNano(); created != at.Created || info.State.LastSeq < at.Seq {
		at = position{Created: created}
	}
	consumer, err := js.OrderedConsumer(ctx, a.o.Stream, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: at.Seq + 1})
	if err != nil {
		return false, err
	}
	messages := make(chan jetstream.Msg, takeMessages)
	waiting := &limit{most: takeBytes, ctx: ctx}
	waiting.room.L = &waiting.mu
	context.AfterFunc(ctx, waiting.wake)
	consuming, err := consumer.Consume(func(m jetstream.Msg) {
		if !waiting.add(len(m.Data())) {
			return
		}
		select {
		case messages <- m:
		case <-ctx.Done():
		}
	}, jetstream.PullMaxMessagesWithBytesLimit(takeMessages, takeBytes), jetstream.ConsumeErrHandler(
		func(_ jetstream.ConsumeContext, err error) {
			a.o.Logger.Warn("archive: the stream", "stream", a.o.Stream, "error", err)
		}))
	if err != nil {
		return false, err
	}
	defer consuming.Stop()
	t := &taker{a: a, stream: stream, ended: consuming.Closed(), messages: messages, waiting: waiting,
		payloads: map[uint64]part{}}
	taken, failed := make(chan *batch), make(chan error, 1)
	go func() { failed <- t.run(ctx, taken) }()
	defer func() {
		cancel()
		for range taken { // it must end before the files are closed
		}
	}()
	for b := range taken {
		for _, in := range b.order {
			if err := a.apply(ctx, in); err != nil {
				return moved, err
			}
		}
		at.Seq, moved = b.last, true
		text, err := json.Marshal(at)
		if err == nil {
			err = atomicfile.Write(a.positionPath(), text, 0o600)
		}
		if err != nil {
			return moved, local(fmt.Errorf("archive: store the position: %w", err))
		}
	}
	return moved, <-failed
}

// limit limits the bytes of waiting messages.
type limit struct {
	most int
	ctx  context.Context

	mu   sync.Mutex // guards held
	room sync.Cond
	held int
}

// add waits until there is room for n more bytes. A message above the limit waits until no other is held. It returns
// false if the context has ended.
func (l *limit) add(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n > 0 && l.held > 0 && l.held+n > l.most && l.ctx.Err() == nil {
		l.room.Wait()
	}
	if l.held += n; n < 0 {
		l.room.Broadcast()
	}
	return l.ctx.Err() == nil
}

func (l *limit) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.room.Broadcast()
}

// taker takes batches of messages. It takes the next batch while one is stored.
type taker struct {
	a        *Archive
	stream   jetstream.Stream
	messages chan jetstream.Msg
	waiting  *limit // for those in messages
	ended    <-chan struct{}

	// payloads holds parts whose records have not arrived, by stream number; held is the sum of their bytes.
	payloads map[uint64]part
	held     int
}

// batch is the unit of storage.
type batch struct {
	sources map[string]*incoming
	order   []*incoming
	last    uint64 // stream number of the last message
}

// incoming holds the records of one source in a batch.
type incoming struct {
	source  string
	records []arrived
}

// arrived is a record as received.
type arrived struct {
	audit.Chained
	payload []uint64 // its stream numbers
	removed audit.Removal
	at      uint64 // the message's number in the stream
}

// part is a part of a payload.
type part struct {
	salt, body []byte
}

// run takes batches until an error.
func (t *taker) run(ctx context.Context, to chan<- *batch) error {
	defer close(to)
	for {
		b, err := t.take(ctx)
		for _, in := range b.order {
			if err == nil {
				err = t.fetchPayloads(ctx, in)
			}
		}
		if err != nil {
			return err
		}
		select {
		case to <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take waits for messages and takes those that have arrived.
func (t *taker) take(ctx context.Context) (*batch, error) {
	b := &batch{sources: map[string]*incoming{}}
	var fill <-chan time.Time // nil: wait for the first
	for n, size := 0, 0; n < takeMessages && size < takeBytes; {
		select {
		case m := <-t.messages:
			t.waiting.add(-len(m.Data()))
			meta, err := m.Metadata()
			if err == nil {
				err = t.sort(b, m, meta.Sequence.Stream)
			}
			if err != nil {
				return b, err
			}
			n, size, b.last = n+1, size+len(m.Data()), meta.Sequence.Stream
			if meta.NumPending == 0 && len(t.messages) == 0 {
				return b, nil
			}
			if fill == nil {
				fill = time.After(fillWait)
			}
		case <-fill:
			if len(t.messages) == 0 {
				return b, nil
			}
			fill = time.After(fillWait)
		case <-t.ended:
			return b, errors.New("archive: the server delivers no more")
		case <-ctx.Done():
			return b, ctx.Err()
		}
	}
	return b, nil
}

// sort adds a message to those of its source.
func (t *taker) sort(b *batch, m jetstream.Msg, at uint64) error {
	source, isRecord, ok := t.a.o.sourceOf(m.Subject())
	if !ok {
		return nil // of another prefix: the stream has other users
	}
	if !isRecord {
		salt, err := hex.DecodeString(m.Headers().Get(headerSalt))
		if err == nil { // without a salt, its record will be refused
			t.hold(at, part{salt, m.Data()})
		}
		return nil
	}
	in := b.sources[source]
	if in == nil {
		in = &incoming{source: source}
		b.sources[source], b.order = in, append(b.order, in)
	}
	r, payload, err := readRecord(m.Headers(), m.Data())
	if err != nil {
		return local(t.a.alarms.raise(Alarm{Source: source, Kind: AlarmMessage, Seq: r.Seq,
			Hash: hex.EncodeToString(r.Hash), Stream: t.a.o.Stream, StreamSeq: at, Problem: fmt.Sprintf(
				"Message %d is not that of a record.", at)}))
	}
	in.records = append(in.records, arrived{r, payload, readRemoved(m.Headers(), r.Seq), at})
	return nil
}

// hold keeps a part for its record. If there are too many parts it drops them: they can be fetched again.
func (t *taker) hold(at uint64, p part) {
	if t.held += len(p.body); t.held > 2*takeBytes {
		clear(t.payloads)
		t.held = len(p.body)
	}
	t.payloads[at] = p
}

// fetchPayloads adds the payloads to the records. It fetches those that are not in the batch.
func (t *taker) fetchPayloads(ctx context.Context, in *incoming) error {
	for i := range in.records {
		r := &in.records[i]
		for n, at := range r.payload {
			p, here := t.payloads[at]
			if here {
				delete(t.payloads, at)
				t.held -= len(p.body)
			} else {
				m, err := t.stream.GetMsg(ctx, at)
				if errors.Is(err, jetstream.ErrMsgNotFound) { // erased: a later record will confirm it
					r.Salt, r.Body = nil, nil
					break
				}
				if err != nil {
					return err
				}
				p.body = m.Data
				if p.salt, err = hex.DecodeString(m.Header.Get(headerSalt)); err != nil {
					p.salt = nil // the digest will not match
				}
			}
			switch {
			case n > 0:
				r.Body = append(r.Body, p.body...)
			case len(p.body) == 0:
				r.Salt, r.Body = p.salt, []byte{} // the digest will not match; nil would mean erased
			default:
				r.Salt, r.Body = p.salt, slices.Clip(p.body)
			}
		}
	}
	return nil
}
