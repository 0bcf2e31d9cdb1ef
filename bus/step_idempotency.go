package bus

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
)

// idempotency is B4: the same key and arguments return the stored success. A duplicate of a running key waits and
// shares its outcome.
func (r *run) idempotency(ctx context.Context) error {
	if r.inv.IdempotencyKey == "" || r.inv.DryRun {
		return nil
	}
	window := r.b.o.IdempotencyWindow
	if r.cap.Run.KeepResult {
		window = 0
	}
	key := Key{CallerType: r.inv.Caller.Type, Source: r.inv.Caller.Source, Capability: r.cap.Name,
		Value: r.inv.IdempotencyKey, Arguments: digest(r.argumentsIdentity()), Window: window}
	r.entry.Key = &key
	for {
		endFlight, wait := r.b.flights.enter(key)
		if wait == nil {
			r.endFlight = endFlight
			break
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return ended(ctx)
		}
	}
	if r.looksUpInTransaction() {
		return nil
	}
	prior, err := r.b.o.Journal.Lookup(ctx, key)
	if err != nil {
		return r.journalFailed(err)
	}
	if prior == nil {
		return nil
	}
	if err := r.replay(prior); err != nil {
		return err
	}
	r.record(ctx)
	return nil
}

// looksUpInTransaction reports whether the lookup inside the transaction is early enough: no step before it could
// refuse a call that already succeeded, or ask a person about it.
func (r *run) looksUpInTransaction() bool {
	d := r.entry.Decision
	return r.cap.writes() && !r.cap.hasChecks() && r.cap.Run.RateLimit == nil &&
		r.cap.slotKey() == "" && (d == nil || d.Rule == RuleAllow)
}

// replay makes a stored result the result of this run.
func (r *run) replay(prior *Stored) error {
	if prior.Arguments != r.entry.Key.Arguments {
		return Errorf(Validation, ReasonIdempotencyMismatch, "The idempotency key was already used with other arguments.").
			WithHint("Use a new key for a new action.")
	}
	if prior.Unknown {
		return Errorf(Transient, ReasonInterrupted,
			"An earlier request with this key was interrupted; nobody knows whether it reached its goal.").
			WithHint("Check the outcome by hand, then use a new key.")
	}
	res := prior.Result
	res.RequestID, res.Replayed, res.Events = r.inv.RequestID, true, nil
	res.ExecutionTime, res.Time = r.elapsed(), r.now
	r.setResult(res)
	return nil
}

// argumentsIdentity returns the input of the stored digest of the arguments. If they contain a secret, the digest needs
// a key that is never stored, because a PIN is easy to guess from a plain digest. So another bus cannot compare such a
// digest, and treats the arguments as different.
func (r *run) argumentsIdentity() any {
	if !r.cap.in.HasSecrets() {
		return json.RawMessage(r.body) // 1 and 1.0 are the same there
	}
	mac := hmac.New(sha256.New, r.b.secret[:])
	mac.Write(r.body)
	return hex.EncodeToString(mac.Sum(nil))
}

func digest(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		b, err := json.Marshal(p)
		if err != nil {
			b = []byte(err.Error())
		}
		fmt.Fprintf(h, "%d:", len(b))
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// flights let duplicates of a running key wait for the first call.
type flights struct {
	mu   sync.Mutex // guards open
	open map[Key]chan struct{}
}

// enter lets the caller run, or returns a channel that closes when the running call is done. Arguments and Window are
// not part of the key.
func (f *flights) enter(k Key) (endFlight func(), wait <-chan struct{}) {
	k.Arguments, k.Window = "", 0
	f.mu.Lock()
	defer f.mu.Unlock()
	if running, ok := f.open[k]; ok {
		return nil, running
	}
	if f.open == nil {
		f.open = map[Key]chan struct{}{}
	}
	done := make(chan struct{})
	f.open[k] = done
	return func() {
		f.mu.Lock()
		delete(f.open, k)
		f.mu.Unlock()
		close(done)
	}, nil
}
