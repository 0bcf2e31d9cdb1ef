package tills

import (
	"encoding/base32"
	"net"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// Code is the text that a person types on the other computer to pair it.
type Code struct {
	Address string // host:port; the prefix "nats:" or "tls:" marks servers shared with others
	Secret  string // 8 letters and digits: 40 bits
	Key     string // the first 16 letters and digits of the digest of the host's key: 80 bits
}

// ParseServers reads the address of shared servers, with or without a scheme. It returns the scheme, "nats" or "tls",
// and host:port.
func ParseServers(typed string) (scheme, at string, err error) {
	scheme, at, named := strings.Cut(typed, "://")
	if !named {
		scheme, at = "nats", typed
	}
	scheme = strings.ToLower(scheme)
	if scheme != "nats" && scheme != "tls" {
		return "", "", bus.Errorf(bus.Validation, bus.ReasonArguments, "Servers are not reached by %s.", scheme).
			WithHint("Use tls://nats.example:4222, or nats.example:4222 where the servers do not encrypt.")
	}
	if _, _, err := net.SplitHostPort(at); err != nil || strings.ContainsAny(at, "/@?#") {
		return "", "", bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is no address of servers.",
			at[strings.LastIndex(at, "@")+1:]).WithHint("For example: --nats nats.example:4222.")
	}
	return scheme, at, nil
}

// SharedServers returns the scheme and host:port of an address of shared servers, which begins with the scheme and a
// colon.
func SharedServers(address string) (scheme, at string, is bool) {
	scheme, at, _ = strings.Cut(address, ":")
	scheme = strings.ToLower(scheme)
	is = (scheme == "nats" || scheme == "tls") && strings.Contains(at, ":") // otherwise it is a computer with that name
	return scheme, at, is
}

// letters is Crockford's base 32, which has no similar characters.
var letters = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// String formats a code for typing: shop.example:4222/K7QM-2RTX/0123-4567-89AB-CDEF.
func (c Code) String() string {
	return c.Address + "/" + grouped(c.Secret) + "/" + grouped(c.Key)
}

func grouped(s string) string {
	var parts []string
	for ; len(s) > 4; s = s[4:] {
		parts = append(parts, s[:4])
	}
	return strings.Join(append(parts, s), "-")
}

// KeyDigits returns the part of a host's key for a code.
func KeyDigits(digest []byte) string { return letters.EncodeToString(digest[:10]) }

// ParseCode reads a typed or pasted code: in upper or lower case, with or without the command before it, spaces and
// hyphens, with O for 0 and I or L for 1. Its error refers to the argument "code".
func ParseCode(typed string) (c Code, err error) {
	wrong := bus.Errorf(bus.Validation, bus.ReasonArguments, "That is not the code of a shop.").
		WithHint("It looks like shop.example:4222/K7QM-2RTX/0123-4567-89AB-CDEF.")
	wrong.Violations, wrong.SchemaSide = []bus.Violation{{Path: "/code", Message: wrong.Message}}, "request"
	if _, after, is := strings.Cut(typed, " join "); is {
		typed = after
	}
	typed = strings.Join(strings.Fields(typed), "")
	parts := strings.Split(typed, "/")
	if len(parts) != 3 {
		return c, wrong
	}
	address := parts[0]
	if scheme, at, is := SharedServers(address); is {
		address, parts[0] = at, scheme+":"+at
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" || port == "" {
		return c, wrong
	}
	read := func(s string, length int) string {
		s = strings.NewReplacer("-", "", "–", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(s))
		if raw, err := letters.DecodeString(s); err != nil || len(raw) != length {
			return ""
		}
		return s
	}
	c = Code{Address: parts[0], Secret: read(parts[1], 5), Key: read(parts[2], 10)}
	if c.Secret == "" || c.Key == "" {
		return c, wrong
	}
	return c, nil
}
