package chain

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Parts of a proof. Another form of it would have another first line: the words below never change, since the check
// compares them.
const (
	proofTitle    = "Proof of one record of an audit log, form 1\n"
	proofTag      = "c2sp.org/tlog-proof@v1"
	saltLine      = "payload-salt "
	payloadLine   = "payload "
	payload64Line = "payload-base64 "

	proves = `
This proves, to a reader who has the public key of the log from its owner:
- The owner of the key signed a log that has exactly this record at this place.
- The record is as it was when the head below was signed.
`
	provesPayload = "- The payload below is the one that was recorded.\n"
	provesNot     = `
This does not prove:
- That the record tells the truth. A program wrote it, with the clock of its computer.
- The identity of the owner. Get the key from the owner, not from the sender of this text.
- That others are shown the same log, or that no older copy has replaced it since.
- That the log has no other records about this.
`
	provesNoPayload = "- The content of the payload. It is not disclosed; only its digest is proved.\n"
)

// Text returns the proof for others. From the line "c2sp.org/tlog-proof@v1" to the end it is a C2SP tlog-proof whose
// entry is the record's hash: the SHA-256 of the line extra.
func (p *Proof) Text() []byte {
	var b strings.Builder
	b.WriteString(proofTitle + "\n")
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-13s %s\n", name, plain(value))
		}
	}
	line("record", strconv.FormatInt(p.Seq, 10))
	line("time", time.UnixMilli(p.Time).UTC().Format("2006-01-02 15:04:05.000 UTC"))
	line("kind", p.Kind)
	line("request", p.RequestID)
	line("trace", p.TraceID)
	line("parent", p.ParentRequestID)
	line("conversation", p.ConversationID)
	line("caller", p.CallerType)
	line("person", p.Person)
	line("capability", p.Capability)
	line("effect", p.SideEffect)
	line("status", p.Status)
	line("code", p.Code)
	line("detail", p.Detail)
	line("payload", "SHA-256 "+hex.EncodeToString(p.PayloadDigest))
	b.WriteString(proves)
	if p.Salt == nil {
		b.WriteString(provesNot + provesNoPayload)
	} else {
		b.WriteString(provesPayload + provesNot)
		fmt.Fprintf(&b, "\n%s%x\n", saltLine, p.Salt)
		if readable(string(p.Payload)) {
			b.WriteString(payloadLine + string(p.Payload) + "\n")
		} else {
			b.WriteString(payload64Line + base64.StdEncoding.EncodeToString(p.Payload) + "\n")
		}
	}
	record := p.Append(nil, mainStream, p.Prev)
	fmt.Fprintf(&b, "\n%s\nextra %s\nindex %d\n", proofTag, base64.StdEncoding.EncodeToString(record), p.Index)
	for _, hash := range p.Path {
		b.WriteString(base64.StdEncoding.EncodeToString(hash[:]) + "\n")
	}
	b.WriteString("\n" + p.Checkpoint)
	return []byte(b.String())
}

// plain is a value of a record on one line. One that could look like something else on a screen is quoted.
func plain(value string) string {
	if readable(value) && value[0] != '"' && value[0] != ' ' {
		return value
	}
	return strconv.QuoteToASCII(value)
}

// readable reports whether a text has no bytes that a screen would obey. Its answers never change, since the
// check depends on them: that is why it does not ask package unicode.
func readable(text string) bool {
	for _, r := range text {
		switch {
		case r < ' ', r >= 0x7f && r < 0xa0, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e,
			r >= 0x2060 && r <= 0x206f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb:
			return false
		}
	}
	return text != "" && utf8.ValidString(text)
}
