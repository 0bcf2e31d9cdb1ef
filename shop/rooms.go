package shop

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/outside"
	"github.com/deskhand/deskhand/shop/settings"
	"github.com/deskhand/deskhand/shop/staff"
	"github.com/deskhand/deskhand/shop/transfer"
)

// What a program around the shop needs of its rooms, under one name.
type (
	Copies     = transfer.Copies
	NewFile    = core.NewFile
	Mail       = outside.Mail
	Attachment = outside.Attachment
	Post       = outside.Post
	MailServer = settings.MailServer
	Hooks      = outside.Hooks
	Delivery   = outside.Delivery
	Secrets    = settings.Secrets
	Person     = staff.Person
	Money      = core.Money
)

// CopyPrefix begins the names of copies; what a restore has replaced has another.
const CopyPrefix = transfer.CopyPrefix

// Zone is the shop's time zone; see [core.Zone].
func Zone(ctx context.Context) (*time.Location, error) { return core.Zone(ctx) }

// FileSchema is the JSON Schema of the file that shop.export writes and shop.import reads.
func FileSchema() []byte { return transfer.FileSchema() }

// CSVKind tells which kind of export some CSV data is; see [transfer.CSVKind].
func CSVKind(data []byte) string { return transfer.CSVKind(data) }

// SecretModel names the key of a model's endpoint among the [Secrets].
func SecretModel(endpoint string) string { return settings.SecretModel(endpoint) }

// ModelEndpoint is the endpoint that answers in the chat; see [settings.ModelEndpoint].
func ModelEndpoint(ctx context.Context) (endpoint, model string, err error) {
	return settings.ModelEndpoint(ctx)
}

// ModelPrice is the price of a million tokens; see [settings.ModelPrice].
func ModelPrice(ctx context.Context) (input, output, currency string, err error) {
	return settings.ModelPrice(ctx)
}

// FindPerson finds a person at the desk; see [staff.FindPerson].
func FindPerson(ctx context.Context, nameOrRole string) (Person, error) {
	return staff.FindPerson(ctx, nameOrRole)
}

// SignIn gives the principal of a person without a PIN; see [staff.SignIn].
func SignIn(ctx context.Context, nameOrRole string) (bus.Principal, error) {
	return staff.SignIn(ctx, nameOrRole)
}

// Present is what a signed-in person may do now; see [staff.Present].
func Present(ctx context.Context, id string) (bus.Principal, error) { return staff.Present(ctx, id) }

// Colleagues are the people at the desk with what each may do; see [core.Colleagues].
func Colleagues(ctx context.Context) ([]bus.Principal, error) { return core.Colleagues(ctx) }

// AtLockedDesk is the empty principal of a desk locked for a person; see [staff.AtLockedDesk].
func AtLockedDesk(name string) bus.Principal { return staff.AtLockedDesk(name) }

// LockAfter is how long a person may be away before the window locks; see [staff.LockAfter].
func LockAfter(ctx context.Context, staffID string) (time.Duration, error) {
	return staff.LockAfter(ctx, staffID)
}
