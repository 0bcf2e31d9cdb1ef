// Package token says in one signed line what one call of a capability elsewhere may do, so that the program there can
// check it without asking anybody. A token is a JWT, signed with an Ed25519 key, and bound to the program that it is
// for, the person, the capability, the digest of the arguments and a few minutes. It is good for one call.
//
// The caller's side is an [Issuer], the receiver's a [Receiver] in front of a handler:
//
//	http.Handle("/agent/execute", token.Receiver{Audience: location, Key: publicKey}.Handler(execute))
//
// There is no service that rotates keys or tells whether a token was taken back: whoever has the private key is the
// caller, and a token that is out is good until its minutes are over.
package token

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// Longest is how long a token may be good at most.
const Longest = 5 * time.Minute

// Claims are what a token says beside the registered claims of RFC 7519: the audience is the location of the program
// that it is for, the subject the person.
type Claims struct {
	jwt.RegisteredClaims
	Capability string `json:"capability"`
	Arguments  string `json:"arguments"` // SHA-256 of the arguments as canonical JSON, in base64 without padding
	TraceID    string `json:"trace_id,omitempty"`
}

// Issuer signs tokens.
type Issuer struct {
	Name  string             // of the application: the issuer
	Key   ed25519.PrivateKey // kept in the keychain, never in a file
	Clock func() time.Time
}

// Issue signs a token for one call: of a capability by its name at the audience, with these arguments, for a person.
// It is good for at most [Longest].
func (i Issuer) Issue(audience, subject, capability string, arguments json.RawMessage, traceID string,
	lifetime time.Duration) (string, error) {
	digest, err := Digest(arguments)
	if err != nil {
		return "", err
	}
	now := i.Clock()
	return jwt.NewWithClaims(jwt.SigningMethodEdDSA, Claims{Capability: capability, Arguments: digest, TraceID: traceID,
		RegisteredClaims: jwt.RegisteredClaims{Issuer: i.Name, Audience: jwt.ClaimStrings{audience}, Subject: subject,
			ID: uuid.NewString(), IssuedAt: jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(min(lifetime, Longest)))}}).SignedString(i.Key)
}

// Digest is the digest of arguments in a token. The same arguments have one digest, however they are written.
func Digest(arguments json.RawMessage) (string, error) {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage("{}")
	}
	var read schema.Decoders
	value, err := read.Decode(arguments)
	if err != nil {
		return "", fmt.Errorf("token: the arguments are not JSON: %w", err)
	}
	canonical, err := schema.AppendCanonical(nil, value)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(canonical)
	return base64.RawURLEncoding.EncodeToString(sum[:]), nil
}

// Reason says why a token is refused.
type Reason string

// The reasons.
const (
	Unreadable Reason = "unreadable" // no token, or of another form
	Signature  Reason = "signature"  // signed by another key, or in another way
	Expired    Reason = "expired"    // its minutes are over
	TooLong    Reason = "too_long"   // it would be good for longer than Longest
	Before     Reason = "before"     // from before the receiver's start: whether it was used is not known
	Audience   Reason = "audience"   // for another program
	Subject    Reason = "subject"    // for nobody
	Capability Reason = "capability" // for another capability
	Arguments  Reason = "arguments"  // for other arguments
	Replayed   Reason = "replayed"   // it was used
)

// Error is why a token was refused.
type Error struct {
	Reason Reason
	cause  error
}

// Error implements error.
func (e *Error) Error() string { return refusal + string(e.Reason) }

const refusal = "token: refused: "

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.cause }

// reasonOf finds the reason of an error of the parser.
func reasonOf(err error) *Error {
	for _, r := range []struct {
		is     error
		reason Reason
	}{{jwt.ErrTokenSignatureInvalid, Signature}, {jwt.ErrTokenUnverifiable, Signature}, {jwt.ErrTokenExpired, Expired},
		{jwt.ErrTokenInvalidAudience, Audience}} {
		if errors.Is(err, r.is) {
			return &Error{r.reason, err}
		}
	}
	return &Error{Unreadable, err}
}
