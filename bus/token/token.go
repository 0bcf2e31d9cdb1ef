// Package token signs and checks tokens for single calls of capabilities in another program. That program can check a
// token without asking a service. A token is a JWT, signed with an Ed25519 key. It is bound to the receiving program,
// the person, the capability and the digest of the arguments, and expires after a few minutes. It is valid for one
// call.
//
// The caller's side is an [Issuer], the receiver's a [Receiver] in front of a handler:
//
//	http.Handle("/agent/execute", token.NewReceiver(location, publicKey, nil).Handler(execute))
//
// There is no service for rotating keys or revoking tokens: anyone with the private key is the caller, and a token is
// valid until it expires.
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

// Longest is the maximum lifetime of a token.
const Longest = 5 * time.Minute

// Claims holds the claims of a token besides the registered claims of RFC 7519. The audience is the location of the
// receiving program, and the subject is the person.
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

// Issue signs a token for one call of a capability at the audience, with these arguments, for a person. It is valid for
// at most [Longest].
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

// Digest returns the digest of arguments in a token. It does not depend on their notation.
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

// Reason is the reason for refusing a token.
type Reason string

// The reasons.
const (
	Unreadable Reason = "unreadable" // no token, or malformed
	Signature  Reason = "signature"  // another key or algorithm
	Expired    Reason = "expired"    // it has expired
	TooLong    Reason = "too_long"   // its lifetime exceeds Longest
	Before     Reason = "before"     // older than the receiver's start, so its use is unknown
	Audience   Reason = "audience"   // for another program
	Subject    Reason = "subject"    // without a person
	Capability Reason = "capability" // for another capability
	Arguments  Reason = "arguments"  // for other arguments
	Replayed   Reason = "replayed"   // already used
)

// Error is the error of a refused token.
type Error struct {
	Reason Reason
	cause  error
}

// Error implements error.
func (e *Error) Error() string { return refusal + string(e.Reason) }

const refusal = "token: refused: "

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.cause }

// reasonOf returns the reason for an error of the parser.
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
