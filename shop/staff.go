package shop

import (
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// The roles of the people at the desk.
const (
	roleClerk   = "clerk"
	roleManager = "manager"
	roleOwner   = "owner"
	roleAuditor = "auditor"
)

// Scopes that lift a limit rather than open a domain.
const (
	scopeErase    = "erase:write"    // a customer, for good: the owner's
	scopeDiscount = "discount:write" // discounts over the clerk's limit
	scopeRefund   = "refund:write"   // refunds over the clerk's limit
)

// The domains of the roles.
const (
	domainsRead = "assistant audit capability cart catalog checkout conversation customer grant navigation order policy report search session settings staff"
	domainsOwn  = "agent assistant conversation modal navigation plan session theme" // what is everyone's own: the window and the chat
	domainsDesk = "cart checkout customer document email order webhook"
)

// scopes are what a role may do.
func scopes(role string) []string {
	var all []string
	add := func(domains, action string) {
		for _, d := range strings.Fields(domains) {
			all = append(all, d+":"+action)
		}
	}
	switch role {
	case roleOwner:
		return []string{"*"}
	case roleManager:
		add(domainsRead, "read")
		add(domainsOwn, "write")
		add(domainsDesk+" catalog discount refund", "write")
	case roleClerk:
		add(domainsRead, "read")
		add(domainsOwn, "write")
		add(domainsDesk, "write")
	case roleAuditor:
		add(domainsRead, "read")
		add(domainsOwn, "write")
	}
	return all
}

type staffMember struct{ id, name, role string }

func scanStaff(r row) (staffMember, error) {
	var m staffMember
	return m, r.Scan(&m.id, &m.name, &m.role)
}

// SignIn finds a person at the desk by id, name or role — of several with a role
// the first by id — and gives the principal with the scopes of the role. "" is
// the owner. While there is no shop everyone who starts the program is its owner
// to be. It runs inside Journal.View; the door fills in what it knows itself.
func SignIn(ctx context.Context, nameOrRole string) (bus.Principal, error) {
	set, err := exists(ctx, `SELECT 1 FROM shop`)
	if err != nil {
		return bus.Principal{}, err
	}
	who := strings.TrimSpace(nameOrRole)
	if who == "" {
		who = roleOwner
	}
	if !set {
		if !strings.EqualFold(who, roleOwner) {
			return bus.Principal{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "There is no shop here yet, so there is nobody called %q.", who).
				WithHint("Make one with shop.setUp.")
		}
		return principal(staffMember{ownerID, "Owner", roleOwner}), nil
	}
	m, found, err := find(ctx, scanStaff,
		`SELECT id, name, role FROM staff WHERE id = ?1 OR name_fold = ?2 OR role = ?3
		 ORDER BY CASE WHEN id = ?1 THEN 0 WHEN name_fold = ?2 THEN 1 ELSE 2 END, id LIMIT 1`, who, text.Fold(who), strings.ToLower(who))
	if err != nil {
		return bus.Principal{}, err
	}
	if !found {
		names, err := list(ctx, scanText, `SELECT name || ' (' || role || ')' FROM staff ORDER BY id`)
		if err != nil {
			return bus.Principal{}, err
		}
		return bus.Principal{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "Nobody at this desk is called %q.", who).
			WithHint("There are %s.", strings.Join(names, ", "))
	}
	return principal(m), nil
}

func principal(m staffMember) bus.Principal {
	return bus.Principal{Person: m.id, Name: m.name, Role: m.role, Scopes: scopes(m.role), Authentication: "none"}
}

type sessionStaff struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Role   string   `json:"role"`
	Scopes []string `json:"scopes"`
}

type sessionOut struct {
	Staff  *sessionStaff `json:"staff,omitempty" jsonschema_description:"Who is signed in; absent when nobody is."`
	Locked bool          `json:"locked" jsonschema_description:"Somebody has to sign in first."`
	Shop   *sessionShop  `json:"shop,omitempty" jsonschema_description:"Absent: there is no shop yet."`
}

type sessionShop struct {
	Name     string `json:"name"`
	Currency string `json:"currency"`
}

func sessionGet() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "session.get", Title: "Who is signed in", Category: "session", Type: bus.TypeState,
		Description: "Shows who is signed in at this desk, with the role and what it may do. " +
			"Use it before offering something that needs a certain role. It does not sign anybody in or out.",
		SideEffect: bus.Pure, Access: agentMay, Resources: read, Public: true,
		Phrases: []string{"who am I", "who is signed in", "what may I do"},
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (sessionOut, error) {
		p := call.Person
		out := sessionOut{Locked: p.Person == ""}
		if !out.Locked {
			out.Staff = &sessionStaff{p.Person, p.Name, p.Role, append([]string{}, p.Scopes...)}
		}
		s, found, err := find(ctx, func(r row) (*sessionShop, error) {
			var s sessionShop
			return &s, r.Scan(&s.Name, &s.Currency)
		}, `SELECT name, currency FROM shop`)
		if found {
			out.Shop = s
		}
		return out, err
	})
}
