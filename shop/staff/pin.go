package staff

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"golang.org/x/crypto/argon2"
)

// The cost of a guess at a PIN: the minimum that OWASP's Password Storage Cheat Sheet recommends for Argon2id. A hash
// contains its parameters, so these can be raised.
const (
	pinMemory  = 19 * 1024 // KiB
	pinTime    = 2         // passes
	pinThreads = 1
	pinSalt    = 16 // bytes
	pinKey     = 32 // bytes
)

// A PIN is short, so a limit on the number of guesses protects it.
const (
	freeTries   = 5                // wrong PINs before the first wait
	firstWait   = 30 * time.Second // after the fifth wrong PIN; doubles with each further one
	longestWait = 15 * time.Minute
	triesMemory = 24 * time.Hour // older wrong PINs do not count
)

// The capabilities that check a PIN. Wrong PINs of one person count together, and checks run one after the other.
const (
	nameSignIn         = "session.signIn"
	nameSecondApprover = "session.vouch"
	pinGroup           = "pin"
)

// pinFormat is the usual text form of an Argon2 hash.
const pinFormat = "$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s"

var pinEncoding = base64.RawStdEncoding

// hashPIN returns the hash of a PIN for storage.
func hashPIN(random io.Reader, pin string) (string, error) {
	salt := make([]byte, pinSalt)
	if _, err := io.ReadFull(random, salt); err != nil {
		return "", fmt.Errorf("shop: draw a salt: %w", err)
	}
	key := argon2.IDKey([]byte(pin), salt, pinTime, pinMemory, pinThreads, pinKey)
	return fmt.Sprintf(pinFormat, argon2.Version, pinMemory, pinTime, pinThreads, pinEncoding.EncodeToString(salt),
		pinEncoding.EncodeToString(key)), nil
}

// isPIN compares a PIN with a hash from hashPIN in constant time.
func isPIN(hash, pin string) (bool, error) {
	var version int
	var memory, passes uint32
	var threads uint8
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, fmt.Errorf("shop: a stored PIN is damaged")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &passes,
		&threads); err != nil || version != argon2.Version {
		return false, fmt.Errorf("shop: a stored PIN is damaged: %q %q", parts[2], parts[3])
	}
	salt, err := pinEncoding.DecodeString(parts[4])
	if err != nil {
		return false, fmt.Errorf("shop: the salt of a stored PIN is damaged: %w", err)
	}
	want, err := pinEncoding.DecodeString(parts[5])
	if err != nil {
		return false, fmt.Errorf("shop: a stored PIN is damaged: %w", err)
	}
	got := argon2.IDKey([]byte(pin), salt, passes, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// pinWait returns the wait after a number of wrong PINs.
func pinWait(wrong int) time.Duration {
	if wrong < freeTries {
		return 0
	}
	wait := firstWait
	for range wrong - freeTries {
		if wait *= 2; wait >= longestWait {
			return longestWait
		}
	}
	return wait
}

// slowDown refuses another PIN too soon after wrong ones. It counts them in the log, because log records survive a
// rollback and a restart and include the attempts in other programs.
func slowDown(ctx context.Context, call *bus.Call, p Ports, m core.StaffMember, goodSince time.Time) error {
	if p.Records == nil {
		return core.Unavailable("This program cannot count wrong PINs, so it takes none.").
			WithHint("Sign in at the window.")
	}
	since := goodSince.Add(time.Millisecond)
	if oldest := call.Now.Add(-triesMemory); since.Before(oldest) {
		since = oldest
	}
	wrong, last, err := wrongPINs(ctx, p, m.ID, since)
	if err != nil {
		return err
	}
	left := last.Add(pinWait(wrong)).Sub(call.Now)
	if wrong < freeTries || left <= 0 {
		return nil
	}
	seconds := int(math.Ceil(left.Seconds()))
	e := bus.Errorf(bus.Transient, bus.ReasonRateLimit, "Too many wrong PINs for %s: %d.", m.Name, wrong).
		WithHint("Try again in %d s; an owner can set another PIN with staff.setPin.", seconds)
	e.RetryAfter, e.ResetAt = time.Duration(seconds)*time.Second, call.Now.Add(left)
	return e
}

// wrongPINs counts the records since a time that refused a PIN of a person, and returns the time of the last one.
func wrongPINs(ctx context.Context, p Ports, staffID string, since time.Time) (n int, last time.Time, err error) {
	for _, name := range []string{nameSignIn, nameSecondApprover} {
		some, latest, err := wrongPINsAt(ctx, p, name, staffID, since)
		if err != nil {
			return 0, last, err
		}
		if n += some; latest.After(last) {
			last = latest
		}
	}
	return n, last, nil
}

// wrongPINsAt is wrongPINs for one capability. A refusal for another reason is not a guess and does not count.
func wrongPINsAt(ctx context.Context, p Ports, capability, staffID string, since time.Time) (n int, last time.Time,
	err error) {
	q := audit.Query{Capability: capability, Code: bus.Forbidden, Since: since.UnixMilli(), Limit: 500}
	for {
		page, err := p.Records(ctx, q)
		if err != nil {
			return 0, last, err
		}
		for _, r := range page.Records {
			var in struct{ StaffID string }
			if r.Reason != bus.ReasonPermission || json.Unmarshal(r.Arguments, &in) != nil || in.StaffID != staffID {
				continue
			}
			if n == 0 {
				last = time.UnixMilli(r.Time)
			}
			n++
		}
		if !page.HasMore {
			return n, last, nil
		}
		q.Cursor = page.NextCursor
	}
}
