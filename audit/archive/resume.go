package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/chain"
)

// resume asks the stream for its last record of the log.
func (p *Publisher) resume(ctx context.Context, js jetstream.JetStream, log *audit.Log) (*publishing, error) {
	stream, err := js.Stream(ctx, p.o.Stream)
	if err != nil {
		return nil, fmt.Errorf("archive: open the stream %s: %w", p.o.Stream, err)
	}
	at := &publishing{Publisher: p, js: js, stream: stream, log: log}
	last, err := stream.GetLastMsgForSubject(ctx, p.s.record())
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		if at.begin, err = log.Removal(ctx); err == nil {
			at.after = at.begin.UpTo
			p.setPublished(0, nil)
		}
		return at, err
	case err != nil:
		return nil, fmt.Errorf("archive: read the last record in the stream: %w", err)
	}
	at.last = last.Sequence
	if at.after, at.hash, err = headIn(last.Header); err != nil {
		return nil, err
	}
	have, err := log.HashOf(ctx, at.after)
	if err == nil && !bytes.Equal(have, at.hash) {
		err = at.findCommon(ctx)
	}
	if err == nil {
		p.setPublished(at.after, at.hash)
	}
	return at, err
}

// findCommon finds the last record that both the log and the stream have, after a restore or after a change of
// published records; the archive distinguishes the two. It reads all of the source's records in the stream.
func (p *publishing) findCommon(ctx context.Context) error {
	removed, err := p.log.Removal(ctx)
	if err != nil {
		return err
	}
	if p.after, p.hash = removed.UpTo, make([]byte, chain.Size); p.after > 0 {
		if p.hash, err = p.log.HashOf(ctx, p.after); err != nil {
			return err
		}
	}
	return p.eachHeader(ctx, p.s.record(), func(_ uint64, header nats.Header) error {
		seq, hash, err := headIn(header)
		if err != nil || seq <= p.after {
			return err
		}
		have, err := p.log.HashOf(ctx, seq)
		if err == nil && bytes.Equal(have, hash) {
			p.after, p.hash = seq, hash
		}
		return err
	})
}

// headersAtOnce is the number of messages in one fetch of headers.
const headersAtOnce = 500

// eachHeader calls f with the headers of the stream's messages of a subject, in their order.
func (p *publishing) eachHeader(ctx context.Context, subject string,
	f func(at uint64, header nats.Header) error) error {
	c, err := p.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{FilterSubject: subject, HeadersOnly: true,
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: 10 * answerWait})
	if err != nil {
		return err
	}
	info := c.CachedInfo()
	defer func() { _ = p.stream.DeleteConsumer(context.WithoutCancel(ctx), info.Name) }() // or the server later
	for left := info.NumPending; left > 0; {
		some, err := c.Fetch(int(min(left, headersAtOnce)), jetstream.FetchMaxWait(answerWait))
		if err != nil {
			return err
		}
		got := false
		for m := range some.Messages() {
			meta, err := m.Metadata()
			if err == nil {
				err = f(meta.Sequence.Stream, m.Headers())
			}
			if err != nil {
				return err
			}
			got, left = true, meta.NumPending
		}
		if err := some.Error(); err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if !got {
			return errors.New("archive: the server does not deliver what it has")
		}
	}
	return nil
}

// manyBuckets is the number of subjects from which eraseFromStream reads all payloads of the source at once.
const manyBuckets = 64

// eraseFromStream deletes the payloads of these records from the stream, and the server overwrites them.
func (p *publishing) eraseFromStream(ctx context.Context, ranges [][2]int64) error {
	var filters []string
	for _, r := range ranges {
		for seq := r[0]; seq <= r[1] && len(filters) <= manyBuckets; seq = (seq/inBucket + 1) * inBucket {
			if bucket := p.s.payload(seq); !slices.Contains(filters, bucket) {
				filters = append(filters, bucket)
			}
		}
	}
	if len(filters) > manyBuckets {
		filters = []string{p.s.payloads()}
	}
	for _, filter := range filters {
		var found []uint64
		if err := p.eachHeader(ctx, filter, func(at uint64, header nats.Header) error {
			seq, err := strconv.ParseInt(header.Get(headerSeq), 10, 64)
			if err == nil && slices.ContainsFunc(ranges, func(r [2]int64) bool { return r[0] <= seq && seq <= r[1] }) {
				found = append(found, at)
			}
			return err
		}); err != nil {
			return err
		}
		for _, at := range found {
			if err := p.stream.SecureDeleteMsg(ctx, at); err != nil {
				if _, gone := p.stream.GetMsg(ctx, at); !errors.Is(gone, jetstream.ErrMsgNotFound) {
					return err
				}
			}
		}
	}
	return nil
}
