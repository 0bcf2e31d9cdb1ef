package core

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// OwnerID is the id of the owner of a shop that starts empty or does not exist yet.
const OwnerID = "owner"

// Colleagues returns the staff with their rights, fewest rights first. Authentication is "pin" for a colleague who can
// approve a card with a PIN, and "" otherwise. It runs inside Journal.View.
func Colleagues(ctx context.Context) ([]bus.Principal, error) {
	return List(ctx, func(r Row) (bus.Principal, error) {
		m, err := ScanStaff(r)
		p := m.Principal()
		if p.Authentication = ""; m.PIN {
			p.Authentication = AuthenticationPIN
		}
		return p, err
	}, SelectStaff+` ORDER BY CASE m.role WHEN 'auditor' THEN 0 WHEN 'clerk' THEN 1 WHEN 'manager' THEN 2 ELSE 3 END,
		m.name_fold, m.id`)
}

// HasSecondApprover reports whether someone else has the right that the person lacks, and a PIN to approve with.
func HasSecondApprover(ctx context.Context, by bus.Principal, scope string) (bool, error) {
	if by.Has(scope) {
		return false, nil
	}
	all, err := Colleagues(ctx)
	return slices.ContainsFunc(all, func(p bus.Principal) bool {
		return p.ID != by.ID && p.Authentication != "" && p.Has(scope)
	}), err
}

// The methods of authentication in records.
const (
	AuthenticationNone = "none"
	AuthenticationPIN  = "pin"
)

// The roles of the staff.
const (
	RoleClerk   = "clerk"
	RoleManager = "manager"
	RoleOwner   = "owner"
	RoleAuditor = "auditor"
)

// Scopes that lift a limit instead of opening a domain.
const (
	ScopeErase    = "erase:write"    // deletes a customer's data for good; only the owner has it
	ScopeDiscount = "discount:write" // discounts over the clerk's limit
	ScopeRefund   = "refund:write"   // refunds over the clerk's limit
)

// The domains of the roles.
const (
	domainsRead = "assistant audit capability cart catalog checkout conversation customer day grant navigation order " +
		"plan policy receipt report routine search session settings tour view"
	domainsOwn = "agent assistant conversation density language modal navigation plan " +
		"notifications routine session textSize theme tour view" // the user's own data: the window and the chat
	domainsDesk = "cart cash checkout customer day document email order webhook"
)

// Scopes returns the scopes of a role.
func Scopes(role string) []string {
	var all []string
	add := func(domains, action string) {
		for _, d := range strings.Fields(domains) {
			all = append(all, d+":"+action)
		}
	}
	switch role {
	case RoleOwner:
		return []string{"*"}
	case RoleManager:
		add(domainsRead, "read")
		add(domainsOwn, "write")
		add(domainsDesk+" catalog discount refund", "write")
	case RoleClerk:
		add(domainsRead, "read")
		add(domainsOwn, "write")
		add(domainsDesk, "write")
	case RoleAuditor:
		add(domainsRead+" staff", "read")
		add(domainsOwn, "write")
	}
	return all
}

// ManagesPeople reports whether a role may add staff and set PINs. A person with such a role can sign in as anyone.
func ManagesPeople(role string) bool { return bus.Principal{Scopes: Scopes(role)}.Has("staff:write") }

// StaffMember is a member of staff.
type StaffMember struct {
	ID, Name, Role  string
	PIN, WithoutPIN bool // has a PIN; may sign in as long as there is no PIN
	ToBe            bool // belongs to a shop that does not exist yet
}

// SelectStaff selects the columns that ScanStaff reads.
const SelectStaff = `SELECT m.id, m.name, m.role, p.staff_id IS NOT NULL, m.without_pin FROM staff m LEFT
	JOIN staff_pins p ON p.staff_id = m.id`

// ScanStaff reads a row of SelectStaff.
func ScanStaff(r Row) (StaffMember, error) {
	var m StaffMember
	return m, r.Scan(&m.ID, &m.Name, &m.Role, &m.PIN, &m.WithoutPIN)
}

// Open reports whether anyone at the shop's computer can sign in as this person and manage the others.
func (m StaffMember) Open() bool { return ManagesPeople(m.Role) && m.WithoutPIN && !m.PIN }

// OpenManager returns the first person, by id, who is [StaffMember.Open].
func OpenManager(ctx context.Context) (m StaffMember, found bool, err error) {
	all, err := List(ctx, ScanStaff, SelectStaff+` WHERE m.without_pin AND p.staff_id IS NULL ORDER BY m.id`)
	if i := slices.IndexFunc(all, StaffMember.Open); i >= 0 {
		return all[i], true, err
	}
	return m, false, err
}

// StaffByID reads a member of staff. It returns a NotFound error for an unknown id.
func StaffByID(ctx context.Context, id string) (StaffMember, error) {
	m, found, err := Find(ctx, ScanStaff, SelectStaff+` WHERE m.id = ?`, id)
	if err == nil && !found {
		err = NotFound("Nobody at this desk has the id %q.", id).
			WithHint("session.get shows who can sign in here, staff.list everybody.")
	}
	return m, err
}

// Principal returns the member of staff as the principal of calls, with the scopes of the role.
func (m StaffMember) Principal() bus.Principal {
	return bus.Principal{ID: m.ID, Name: m.Name, Role: m.Role, Scopes: Scopes(m.Role),
		Authentication: AuthenticationNone}
}

// MainDesk is the desk of the shop's own computer: its window, command line, MCP and routines.
const MainDesk = "Main"

// Desk returns the desk of a person: [MainDesk], or the till named in their Door.
func Desk(p bus.Principal) string {
	if _, till, elsewhere := strings.Cut(p.Door, ":"); elsewhere && till != "" {
		return till
	}
	return MainDesk
}
