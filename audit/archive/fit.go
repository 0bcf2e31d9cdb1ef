package archive

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
)

const (
	// headersRoom reserves bytes for the headers of a batch.
	headersRoom = 512
	// stuckWait is the pause before the publisher retries a record that the server does not accept.
	stuckWait = time.Minute
)

// tooLarge is the error for a record whose message is too large for the server. The publisher stops before it, because
// an archive would refuse the records after a gap.
type tooLarge struct {
	Alarm
	limit int64
}

func (e *tooLarge) Error() string { return e.Problem }

// limit returns the size of the largest message that the server and the stream accept, headers included.
func (p *publishing) limit() int64 {
	limit := p.js.Conn().MaxPayload()
	if most := int64(p.stream.CachedInfo().Config.MaxMsgSize); most > 0 {
		limit = min(limit, most)
	}
	return limit
}

// fitting returns the number of records before the first that the server does not accept.
func (p *publishing) fitting(records []audit.Chained) (int, error) {
	limit := p.limit()
	for i := range records {
		need := p.needs(&records[i], limit)
		if need <= limit {
			continue
		}
		if i > 0 {
			return i, nil
		}
		r := &records[i]
		return 0, &tooLarge{Alarm{Source: p.s.source, Kind: AlarmSize, Seq: r.Seq, Hash: hex.EncodeToString(r.Hash),
			Head: p.after, HeadHash: hex.EncodeToString(p.hash), Stream: p.o.Stream,
			Problem: fmt.Sprintf("Record %d needs a message of %d bytes, and the server takes %d: it and all that follows are "+
				"not published. Set max_payload of the server, and the size of messages of the stream %s, to more than that.",
				r.Seq, need, limit, p.o.Stream)}, limit}
	}
	return len(records), nil
}

// needs returns the size of the largest message of a record, or 0 if it is certainly below the limit.
func (p *publishing) needs(r *audit.Chained, limit int64) (most int64) {
	parts := (len(r.Body) + partBytes - 1) / partBytes
	if int64(len(r.Detail)+parts*24)+8<<10 < limit && (parts == 0 || limit > partBytes+headersRoom) {
		return 0 // the usual case, without making the messages
	}
	places := slices.Repeat([]uint64{math.MaxUint64}, parts)
	messages := append(p.s.payloadMessages(r, partBytes), p.s.recordMessage(r, places))
	for _, m := range messages {
		most = max(most, int64(m.Size()-len(m.Subject))+headersRoom)
	}
	return most
}

// stuck reports a record that the server does not accept, once, and waits until the next attempt.
func (p *Publisher) stuck(ctx context.Context, js jetstream.JetStream, why *tooLarge) {
	p.mu.Lock()
	known := p.problem == why.Problem
	p.problem = why.Problem
	p.mu.Unlock()
	if !known {
		why.Time = p.o.Clock().UnixMilli()
		p.o.Logger.Error("archive: a record cannot be published", "source", p.s.source, "seq", why.Seq,
			"problem", why.Problem)
		p.o.Alarm(why.Alarm)
	}
	status := js.Conn().StatusChanged(nats.CONNECTED) // another server, or the same one with other settings
	defer js.Conn().RemoveStatusListener(status)
	select {
	case <-status:
	case <-time.After(stuckWait):
	case <-ctx.Done():
	}
}

// Problem returns the reason why the publisher has stopped, such as a record whose message is too large for the server;
// "" if there is none. A network failure is no problem: the publisher retries.
func (p *Publisher) Problem() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.problem
}
