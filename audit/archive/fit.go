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
	// headersRoom is what the headers of a batch take at most.
	headersRoom = 512
	// stuckWait is how long a publisher waits before it tries again what the server does not take.
	stuckWait = time.Minute
)

// tooLarge is the error for a record whose message the server does not take. The publisher stays before it, since an
// archive would refuse what follows a gap.
type tooLarge struct {
	Alarm
	limit int64
}

func (e *tooLarge) Error() string { return e.Problem }

// limit is the size of the largest message that the server and the stream take, headers included.
func (p *publishing) limit() int64 {
	limit := p.js.Conn().MaxPayload()
	if most := int64(p.stream.CachedInfo().Config.MaxMsgSize); most > 0 {
		limit = min(limit, most)
	}
	return limit
}

// fitting is how many of the records the server takes, before the first that it does not take.
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

// needs is the size of the largest message of a record, or less than the limit.
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

// stuck tells of a record that the server does not take, once, and waits until it may.
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
	status := js.Conn().StatusChanged(nats.CONNECTED) // another server, or the same with other settings
	defer js.Conn().RemoveStatusListener(status)
	select {
	case <-status:
	case <-time.After(stuckWait):
	case <-ctx.Done():
	}
}

// Problem is why the publisher does not go on; "" while it does, or tries to. A record whose message is larger than
// the server takes is one, until the server takes it.
func (p *Publisher) Problem() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.problem
}
