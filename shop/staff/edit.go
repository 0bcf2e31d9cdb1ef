package staff

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type staffPerson struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Role       string `json:"role"`
	PIN        bool   `json:"hasPin"`
	WithoutPIN bool   `json:"withoutPin" doc:"May sign in while there is no PIN."`
}

type staffListOut struct {
	Staff    []staffPerson `json:"staff"`
	PINFirst *pinFirst     `json:"pinFirst,omitempty" doc:"Absent: another person can be added."`
}

// pinFirst names the person who needs a PIN before someone can be added, and the reason.
type pinFirst struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

func list(ctx context.Context, _ *bus.Call, _ struct{}) (out staffListOut, err error) {
	out.Staff, err = core.List(ctx, func(r core.Row) (staffPerson, error) {
		m, err := core.ScanStaff(r)
		return person(m), err
	}, core.SelectStaff+` ORDER BY m.name_fold, m.id`)
	if err != nil {
		return out, err
	}
	m, why, err := addable(ctx)
	if why != nil {
		out.PINFirst = &pinFirst{m.ID, m.Name, why.Message}
	}
	return out, err
}

type staffSaveIn struct {
	StaffID    string `json:"staffId,omitempty" jsonschema:"minLength=1,maxLength=100" x:"entity=staff"`
	Name       string `json:"name" jsonschema:"minLength=1,maxLength=120"`
	Role       string `json:"role" jsonschema:"enum=clerk,enum=manager,enum=owner,enum=auditor"`
	WithoutPIN *bool  `json:"withoutPin,omitempty"`
}

func save(ctx context.Context, call *bus.Call, in staffSaveIn) (out staffPerson, err error) {
	m, err := toSave(ctx, call, in.StaffID)
	if err != nil {
		return out, err
	}
	wasOpen := m.Open()
	m.Name, m.Role = text.Line(in.Name, core.NameLimit), in.Role
	if in.WithoutPIN != nil {
		m.WithoutPIN = *in.WithoutPIN
	}
	if err := nameIsFree(ctx, m); err != nil {
		return out, err
	}
	if m.Open() && !wasOpen {
		if err := alone(ctx, m); err != nil {
			return out, err
		}
	}
	if in.StaffID == "" {
		call.Summarize("Add %s to the staff as %s", m.Name, bus.Phrase(m.Role))
		err = core.Insert(ctx, `staff (id, name, name_fold, role, without_pin)`, m.ID, m.Name, text.Fold(m.Name), m.Role,
			core.Bit(m.WithoutPIN))
	} else {
		call.Summarize("Save %s as %s", m.Name, bus.Phrase(m.Role))
		err = core.Exec(ctx, `UPDATE staff SET name = ?, name_fold = ?, role = ?, without_pin = ?
			WHERE id = ?`, m.Name, text.Fold(m.Name), m.Role, core.Bit(m.WithoutPIN), m.ID)
	}
	if err != nil {
		return out, err
	}
	if err := ownerStays(ctx); err != nil {
		return out, err
	}
	call.Announce("staff", bus.Textf("%s works here as %s now.", m.Name, bus.Phrase(m.Role)), m.ID)
	return person(m), nil
}

// toSave returns the person with the id. For "" it returns a new person, if one may be added.
func toSave(ctx context.Context, call *bus.Call, id string) (core.StaffMember, error) {
	if id != "" {
		return core.StaffByID(ctx, id)
	}
	m := core.StaffMember{ID: call.NewID("stf")}
	_, why, err := addable(ctx)
	if why != nil {
		err = why
	}
	return m, err
}

// addable refuses to add a person while a manager has no PIN, because the new person could sign in as that manager. It
// returns the manager.
func addable(ctx context.Context) (m core.StaffMember, why *bus.Error, err error) {
	m, open, err := core.OpenManager(ctx)
	if open {
		why = core.Refused("%s has no PIN, so a second person could sign in as %s.", m.Name, m.Name).
			WithHint("Set the PIN of %s first, with staff.setPin.", m.Name)
	}
	return m, why, err
}

// alone refuses to let a person manage others without a PIN, unless no one else works here.
func alone(ctx context.Context, m core.StaffMember) error {
	return core.NeedNone(ctx, core.Refused("%s needs a PIN to manage people: anyone here could sign in as %s.", m.Name,
		m.Name).WithHint("Set the PIN with staff.setPin first, or leave withoutPin out."),
		`SELECT 1 FROM staff WHERE id <> ?`, m.ID)
}

// nameIsFree refuses a name that another person has. It also refuses ids and roles, because people sign in with any of
// these.
func nameIsFree(ctx context.Context, m core.StaffMember) error {
	fold := text.Fold(m.Name)
	word := strings.TrimSpace(fold)
	if word == "" {
		return core.Invalid("/name", "The name is empty.")
	}
	if slices.Contains([]string{core.RoleClerk, core.RoleManager, core.RoleOwner, core.RoleAuditor}, word) &&
		word != m.Role {
		return core.Invalid("/name", "That is the name of a role.")
	}
	taken, err := core.Exists(ctx, `SELECT 1 FROM staff WHERE id <> ?1 AND (name_fold = ?2
		OR id = ?3)`, m.ID, fold, m.Name)
	if err == nil && taken {
		err = core.Refused("There is somebody called %s already.", m.Name).
			WithHint("Add something that tells them apart; staff.list shows who is there.")
	}
	return err
}

// ownerStays refuses a change after which no owner could sign in.
func ownerStays(ctx context.Context) error {
	return core.Need(ctx, core.Refused("Then the shop would have no owner who can sign in.").
		WithHint("Make somebody else an owner first, with staff.save and staff.setPin."),
		`SELECT 1 FROM staff WHERE role = ? AND (without_pin OR id IN (SELECT staff_id FROM staff_pins))`, core.RoleOwner)
}

type staffRemoveIn struct {
	StaffID string `json:"staffId" jsonschema:"minLength=1,maxLength=100" x:"entity=staff"`
}

func remove(ctx context.Context, call *bus.Call, in staffRemoveIn) (out staffRemoveIn, err error) {
	m, err := core.StaffByID(ctx, in.StaffID)
	if err != nil {
		return out, err
	}
	for _, query := range []string{`DELETE FROM staff_pins WHERE staff_id = ?`, `DELETE FROM preferences
		WHERE person = ?`, `DELETE FROM staff WHERE id = ?`} {
		if err := core.Exec(ctx, query, m.ID); err != nil {
			return out, err
		}
	}
	call.Summarize("Remove %s from the staff", m.Name)
	call.Announce("staff", bus.Textf("%s is removed.", m.Name), m.ID)
	return in, ownerStays(ctx)
}

type staffPINIn struct {
	StaffID string `json:"staffId" jsonschema:"minLength=1,maxLength=100" x:"entity=staff"`
	PIN     string `json:"pin" jsonschema:"minLength=4,maxLength=12,pattern=^[0-9]+$,writeOnly=true"`
}

func (p Ports) setPIN(ctx context.Context, call *bus.Call, in staffPINIn) (out staffPerson, err error) {
	m, err := core.StaffByID(ctx, in.StaffID)
	if err != nil {
		return out, err
	}
	if p.Random == nil {
		return out, core.Unavailable("This program sets no PINs.").WithHint("Use staff.setPin at the window.")
	}
	hash, err := hashPIN(p.Random, in.PIN)
	if err != nil {
		return out, err
	}
	m.PIN = true
	call.Summarize("Set the PIN of %s", m.Name)
	call.Announce("staff", bus.Textf("%s has a new PIN.", m.Name), m.ID)
	return person(m), core.Exec(ctx, `INSERT INTO staff_pins (staff_id, hash, good_since) VALUES (?, ?, ?)
		ON CONFLICT (staff_id) DO UPDATE SET hash = excluded.hash, good_since = excluded.good_since`, m.ID, hash,
		call.Now.UnixMilli())
}
