package main

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// steps move one handler each. A program that has made all of them keeps the lines and not the list.
func steps(b *bus.Bus) []func(*handlers) {
	of := func(name, title, description string, class bus.SideEffect, resources ...string) bus.Capability {
		return bus.Capability{Name: name, Title: title, Description: description, SideEffect: class,
			Permissions: []string{"room:use"}, Resources: resources}
	}
	return []func(*handlers){
		func(h *handlers) {
			h.list = behind(b, of("booking.list", "List bookings", "Lists the bookings of a day, such as 2027-03-01.",
				bus.Pure, "database:read"), h.list)
		},
		func(h *handlers) {
			h.book = behind(b, of("booking.make", "Book a room", "Books a room for one hour of a day, from 8 to 17.",
				bus.UIOnly, "database:write"), h.book)
		},
		func(h *handlers) {
			h.move = behind(b, of("booking.move", "Move a booking", "Moves a booking to another hour of its day.",
				bus.UIOnly, "database:write"), h.move)
		},
		func(h *handlers) {
			h.cancel = behind(b, of("booking.cancel", "Cancel a booking", "Cancels a booking. To change its hour, move it.",
				bus.UIOnly, "database:write"), h.cancel)
		},
		func(h *handlers) {
			c := of("room.close", "Close a room", "Closes a room for good and cancels all its bookings.",
				bus.Destructive, "database:write")
			c.Permissions = []string{"room:close"}
			h.close = behind(b, c, h.close)
		},
	}
}

// behind registers the capability c of a handler's function. The function that it returns has the same type and calls
// c on the bus.
func behind[In, Out any](b *bus.Bus, c bus.Capability, f func(context.Context, In) (Out, error)) func(context.Context,
	In) (Out, error) {
	b.MustRegister(bus.DefineFunc(c, f, around))
	return func(ctx context.Context, in In) (Out, error) {
		out, err := bus.Invoke[Out](ctx, b, bus.Invocation{Capability: c.Name, Principal: userOf(ctx).principal(),
			Caller: bus.Caller{Type: bus.CallerUI, Source: "api"}}, in)
		return out, withoutCode(err)
	}
}

// principal is the user as the bus knows people: with rights.
func (u user) principal() bus.Principal {
	p := bus.Principal{ID: u.Name, Name: u.Name, Scopes: []string{"room:use"}}
	if u.Admin {
		p.Scopes = append(p.Scopes, "room:close")
	}
	return p
}

// codes are those of the program's errors.
var codes = map[error]*bus.Error{
	errInvalid:   bus.Errorf(bus.Validation, bus.ReasonArguments, ""),
	errForbidden: bus.Errorf(bus.Forbidden, bus.ReasonPermission, ""),
	errNotFound:  bus.Errorf(bus.NotFound, bus.ReasonRecord, ""),
	errTaken:     bus.Errorf(bus.PreconditionFailed, bus.ReasonState, ""),
}

// around runs a function with the person and the transaction of the call in its context.
func around(ctx context.Context, call *bus.Call, run func(context.Context) error) error {
	ctx = context.WithValue(ctx, txKey{}, audit.Tx(ctx))
	ctx = context.WithValue(ctx, userKey{}, user{Name: call.Person.ID, Admin: call.Person.Has("room:close")})
	err := run(ctx)
	for own, coded := range codes {
		if errors.Is(err, own) {
			return coded.WithMessage("%s", err).WithCause(err)
		}
	}
	return err
}

// withoutCode returns the program's error in an error of the bus, so that the API answers as before. A refusal by the
// bus itself becomes the program's error of the same code.
func withoutCode(err error) error {
	refused, ok := errors.AsType[*bus.Error](err)
	if !ok {
		return err
	}
	if cause := refused.Unwrap(); cause != nil {
		return cause
	}
	for own, coded := range codes {
		if coded.Code == refused.Code {
			return own
		}
	}
	return refused
}

// invoke is one more route: the capabilities for typed clients and for programs.
func invoke(b *bus.Bus) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			answerError(w, errInvalid)
			return
		}
		answer(w, http.StatusOK, b.InvokeJSON(r.Context(), body, func(i *bus.Invocation) {
			i.Principal, i.Caller = userOf(r.Context()).principal(), bus.Caller{Type: bus.CallerUI, Source: "page"}
		}))
	}
}
