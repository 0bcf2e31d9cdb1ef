package token

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// maxBody limits the body of a call, in bytes.
const maxBody = 1 << 20

// Receiver passes a call to a handler if its token is valid for exactly that call, once. Create one with [NewReceiver]
// when the program starts.
type Receiver struct {
	audience string
	key      ed25519.PublicKey
	clock    func() time.Time
	start    time.Time

	mu   sync.Mutex // guards used
	used map[string]time.Time
}

// NewReceiver returns the receiver of a program at an audience, its own location, for tokens of one key. A nil clock is
// the system's.
func NewReceiver(audience string, key ed25519.PublicKey, clock func() time.Time) *Receiver {
	if clock == nil {
		clock = time.Now
	}
	return &Receiver{audience: audience, key: key, clock: clock, start: clock(), used: map[string]time.Time{}}
}

// Check reads a token and checks that it is valid for a call of a capability with these arguments. A token is valid
// once. The error is an [*Error].
func (r *Receiver) Check(token, capability string, arguments json.RawMessage) (*Claims, error) {
	claims := &Claims{}
	_, err := jwt.ParseWithClaims(token, claims, func(*jwt.Token) (any, error) { return r.key, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}), jwt.WithAudience(r.audience),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(r.clock), jwt.WithStrictDecoding())
	if err != nil {
		return nil, reasonOf(err)
	}
	digest, err := Digest(arguments)
	switch {
	case err != nil || claims.Arguments != digest:
		return nil, &Error{Arguments, err}
	case claims.Capability != capability:
		return nil, &Error{Capability, nil}
	case claims.Subject == "":
		return nil, &Error{Subject, nil}
	case claims.IssuedAt == nil || claims.ID == "":
		return nil, &Error{Unreadable, nil}
	case claims.IssuedAt.Before(r.start): // a token has whole seconds: one of the first second is refused too
		return nil, &Error{Before, nil}
	case claims.ExpiresAt.Sub(claims.IssuedAt.Time) > Longest:
		return nil, &Error{TooLong, nil}
	case !r.use(claims.ID, claims.ExpiresAt.Time):
		return nil, &Error{Replayed, nil}
	}
	return claims, nil
}

// use remembers that a token was used, until it expires.
func (r *Receiver) use(id string, until time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	for other, end := range r.used {
		if end.Before(now) {
			delete(r.used, other)
		}
	}
	if _, twice := r.used[id]; twice {
		return false
	}
	r.used[id] = until
	return true
}

type claimsKey struct{}

// FromContext returns the claims of a request's token, for a handler behind [Receiver.Handler].
func FromContext(ctx context.Context) (*Claims, bool) {
	c, is := ctx.Value(claimsKey{}).(*Claims)
	return c, is
}

// Handler calls next for a request whose token, "Authorization: Bearer …", is valid for the invocation in its body, in
// the wire form of package bus. Other requests get 401 and the reason.
func (r *Receiver) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
		var call struct {
			Capability string          `json:"capability"`
			Arguments  json.RawMessage `json:"arguments"`
		}
		if err = cmp.Or(err, json.Unmarshal(body, &call)); err != nil {
			http.Error(w, "the body is no invocation", http.StatusBadRequest)
			return
		}
		bearer, _ := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
		claims, err := r.Check(bearer, call.Capability, call.Arguments)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), claimsKey{}, claims)))
	})
}
