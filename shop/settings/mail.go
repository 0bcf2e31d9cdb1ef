package settings

import (
	"cmp"
	"context"
	"regexp"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// SecretMail is the name of the mail server's password.
const SecretMail = "mail.password"

// MailServer holds the address and the credentials of the mail server.
type MailServer struct {
	Host       string
	Port       int
	Encryption string // "starttls", "tls" or "none"
	Username   string // "" for no authentication
	Password   string
	From       string // address of the sender
	FromName   string
}

type settingsMail struct {
	Host        string `json:"host"`
	Port        int    `json:"port"`
	Encryption  string `json:"encryption" jsonschema:"enum=starttls,enum=tls,enum=none"`
	Username    string `json:"username,omitempty"`
	PasswordSet bool   `json:"passwordSet" doc:"A password is known. Nobody is shown it."`
	From        string `json:"from"`
	FromName    string `json:"fromName"`
}

// FindMailServer returns the server without its password; found is false if none is set.
func FindMailServer(ctx context.Context) (m MailServer, found bool, err error) {
	return core.Find(ctx, func(r core.Row) (m MailServer, err error) {
		return m, r.Scan(&m.Host, &m.Port, &m.Encryption, &m.Username, &m.From, &m.FromName)
	}, `SELECT host, port, encryption, username, sender, CASE sender_name WHEN '' THEN (SELECT name
		FROM shop) ELSE sender_name END FROM mail_server`)
}

// mailSettings returns nil if no mail server is set.
func mailSettings(ctx context.Context, secrets Secrets) (*settingsMail, error) {
	m, found, err := FindMailServer(ctx)
	if err != nil || !found {
		return nil, err
	}
	password, err := FindSecret(ctx, secrets, SecretMail)
	return &settingsMail{m.Host, m.Port, m.Encryption, m.Username, password != "", m.From, m.FromName}, err
}

// mailPorts holds the default port of each encryption.
var mailPorts = map[string]int{"starttls": 587, "tls": 465, "none": 25}

func setMail(ctx context.Context, call *bus.Call, secrets Secrets, _ *core.Shop, v settingsValues) (bus.Text, error) {
	if v.Host != nil && *v.Host == "" {
		if err := core.Exec(ctx, `DELETE FROM mail_server`); err != nil {
			return bus.Text{}, err
		}
		return bus.Textf("Remove the mail server"), forgetSecret(ctx, secrets, SecretMail)
	}
	m, found, err := FindMailServer(ctx)
	if err != nil {
		return bus.Text{}, err
	}
	if !found && v.Host == nil && v.From == nil { // a password alone
		return bus.Text{}, core.Refused("There is no mail server yet.").WithHint("Give its host and from first.")
	}
	name, _, err := core.Find(ctx, core.ScanText, `SELECT sender_name FROM mail_server`)
	if err != nil {
		return bus.Text{}, err
	}
	if m, err = v.mail(m); err != nil {
		return bus.Text{}, err
	}
	if v.FromName != nil {
		name = text.Line(*v.FromName, core.NameLimit)
	}
	if err := core.Exec(ctx, `INSERT INTO mail_server (id, host, port, encryption, username, sender, sender_name)
		VALUES ('mail', ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET host = excluded.host, port = excluded.port, encryption = excluded.encryption,
			username = excluded.username, sender = excluded.sender, sender_name = excluded.sender_name`,
		m.Host, m.Port, m.Encryption, m.Username, m.From, name); err != nil {
		return bus.Text{}, err
	}
	if v.Password != nil {
		if err := keepSecret(ctx, call, secrets, SecretMail, *v.Password, "the password of the mail server"); err != nil {
			return bus.Text{}, err
		}
	}
	return bus.Textf("Send mail as %s through %s, port %d", m.From, m.Host, m.Port), nil
}

// mail returns the server after the change.
func (v settingsValues) mail(m MailServer) (MailServer, error) {
	if v.Host != nil {
		m.Host = strings.ToLower(strings.TrimSpace(*v.Host))
	}
	if len(m.Host) > longestHost || !hostName().MatchString(m.Host) {
		return m, core.Invalid("/values/host", "%q is not the name of a mail server.", m.Host).
			WithHint("Give a name alone, for example smtp.example.com, and the port beside it.")
	}
	set(&m.Encryption, v.Encryption)
	m.Encryption = cmp.Or(m.Encryption, "starttls")
	if m.Encryption == "none" && !loopback(m.Host) {
		return m, core.Invalid("/values/encryption", "Without encryption everybody on the way could read the mail "+
			"and the password.").
			WithHint("Use starttls or tls; none is for a server on this computer.")
	}
	switch {
	case v.Port != nil:
		m.Port = int(*v.Port)
	case m.Port == 0 || v.Encryption != nil:
		m.Port = mailPorts[m.Encryption]
	}
	set(&m.Username, v.Username)
	set(&m.From, v.From)
	if m.From == "" {
		return m, core.Invalid("/values/from", "Mail comes from somebody.").
			WithHint("Give the sender's address, such as orders@example.com.")
	}
	return m, nil
}

// longestHost is the maximum length of a host name in bytes.
const longestHost = 252

// hostName matches a host name or an IPv4 or IPv6 address, and nothing else.
var hostName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*)$`)
})

// thisComputer matches the names and addresses of the computer itself.
var thisComputer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(localhost|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|::1)$`)
})

// loopback reports whether a host is this computer.
func loopback(host string) bool { return thisComputer().MatchString(host) }
