package shop

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type staffPerson struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Role       string `json:"role"`
	PIN        bool   `json:"hasPin"`
	WithoutPIN bool   `json:"withoutPin" jsonschema_description:"May sign in while there is no PIN."`
}

type staffListOut struct {
	Staff []staffPerson `json:"staff"`
}

func staffList() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "staff.list", Title: "Show the staff", Category: "staff", Type: bus.TypeData,
		Description: "Shows the people at the desk, with their roles and whether they have a PIN. " +
			"Use it before changing one of them. It does not show a PIN: nobody can.",
		SideEffect: bus.Pure, Permissions: []string{"staff:read"}, Access: agentNever, Resources: read,
	}, func(ctx context.Context, _ *bus.Call, _ struct{}) (out staffListOut, err error) {
		out.Staff, err = list(ctx, func(r row) (staffPerson, error) {
			m, err := scanStaff(r)
			return m.person(), err
		}, selectStaff+` ORDER BY m.name_fold, m.id`)
		return out, err
	})
}

type staffSaveIn struct {
	StaffID    string `json:"staffId,omitempty" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=staff.list#/staff"`
	Name       string `json:"name" jsonschema:"minLength=1,maxLength=120"`
	Role       string `json:"role" jsonschema:"enum=clerk,enum=manager,enum=owner,enum=auditor"`
	WithoutPIN *bool  `json:"withoutPin,omitempty"`
}

func (staffSaveIn) DescribeFields() map[string]string {
	return map[string]string{
		"staffId":    "Who is changed. Absent: somebody new.",
		"withoutPin": "May sign in while there is no PIN. Absent: as it was; somebody new may not.",
	}
}

// staffSave is not reversible: taking back that somebody became an owner could
// leave a shop without one.
func staffSave() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "staff.save", Title: "Save a person at the desk", Category: "staff",
		Description: "Adds somebody to the staff, or changes the name, the role and whether a PIN is needed to sign in. " +
			"Use it when somebody starts or takes another role. It does not set a PIN, and a shop is never left without an owner.",
		SideEffect: bus.UIOnly, Permissions: []string{"staff:write"}, Access: agentNever, Resources: write,
	}, saveStaff)
}

func saveStaff(ctx context.Context, call *bus.Call, in staffSaveIn) (out staffPerson, err error) {
	m := staffMember{id: in.StaffID}
	if in.StaffID != "" {
		if m, err = staffByID(ctx, in.StaffID); err != nil {
			return out, err
		}
	} else {
		m.id = call.NewID("stf")
	}
	m.name, m.role = text.Line(in.Name, nameLimit), in.Role
	if in.WithoutPIN != nil {
		m.withoutPIN = *in.WithoutPIN
	}
	if err := nameIsFree(ctx, m); err != nil {
		return out, err
	}
	if in.StaffID == "" {
		call.Summarize("Add %s to the staff as %s", m.name, m.role)
		err = exec(ctx, `INSERT INTO staff (id, name, name_fold, role, without_pin) VALUES (?, ?, ?, ?, ?)`, m.id, m.name, text.Fold(m.name), m.role, bit(m.withoutPIN))
	} else {
		call.Summarize("Save %s as %s", m.name, m.role)
		err = exec(ctx, `UPDATE staff SET name = ?, name_fold = ?, role = ?, without_pin = ? WHERE id = ?`, m.name, text.Fold(m.name), m.role, bit(m.withoutPIN), m.id)
	}
	if err != nil {
		return out, err
	}
	if err := ownerStays(ctx); err != nil {
		return out, err
	}
	call.Changed("staff", m.name+" works here as "+m.role+" now.", m.id)
	return m.person(), nil
}

// nameIsFree keeps a name to one person: people are signed in by it, and by ids
// and roles, which are therefore no names either.
func nameIsFree(ctx context.Context, m staffMember) error {
	fold := text.Fold(m.name)
	word := strings.TrimSpace(fold)
	if word == "" {
		return invalid("/name", "The name is empty.")
	}
	if slices.Contains([]string{roleClerk, roleManager, roleOwner, roleAuditor}, word) && word != m.role {
		return invalid("/name", "That is the name of a role.")
	}
	taken, err := exists(ctx, `SELECT 1 FROM staff WHERE id <> ?1 AND (name_fold = ?2 OR id = ?3)`, m.id, fold, m.name)
	if err == nil && taken {
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There is somebody called %s already.", m.name).
			WithHint("Add something that tells them apart; staff.list shows who is there.")
	}
	return err
}

// ownerStays refuses a change after which no owner could sign in.
func ownerStays(ctx context.Context) error {
	left, err := exists(ctx, `SELECT 1 FROM staff WHERE role = ? AND (without_pin OR id IN (SELECT staff_id FROM staff_pins))`, roleOwner)
	if err == nil && !left {
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Then the shop would have no owner who can sign in.").
			WithHint("Make somebody else an owner first, with staff.save and staff.setPin.")
	}
	return err
}

type staffRemoveIn struct {
	StaffID string `json:"staffId" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=staff.list#/staff"`
}

func staffRemove() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "staff.remove", Title: "Remove a person from the desk", Category: "staff",
		Description: "Removes somebody from the staff, with the PIN; whoever it is, is signed out everywhere. " +
			"Use it when somebody leaves. What that person did stays in the log, and the last owner is never removed.",
		SideEffect: bus.UIOnly, Permissions: []string{"staff:write"}, Access: agentNever, Resources: write,
		Bulk: true, // the row with the hash goes, and a hash has no place in a record
	}, func(ctx context.Context, call *bus.Call, in staffRemoveIn) (out staffRemoveIn, err error) {
		m, err := staffByID(ctx, in.StaffID)
		if err != nil {
			return out, err
		}
		for _, query := range []string{`DELETE FROM staff_pins WHERE staff_id = ?`, `DELETE FROM preferences WHERE person = ?`, `DELETE FROM staff WHERE id = ?`} {
			if err := exec(ctx, query, m.id); err != nil {
				return out, err
			}
		}
		if err := ownerStays(ctx); err != nil {
			return out, err
		}
		call.Summarize("Remove %s from the staff", m.name)
		call.Changed("staff", m.name+" is removed.", m.id)
		return in, nil
	})
}

type staffPINIn struct {
	StaffID string `json:"staffId" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=staff.list#/staff"`
	PIN     string `json:"pin" jsonschema:"minLength=4,maxLength=12,pattern=^[0-9]+$,writeOnly=true"`
}

func (staffPINIn) DescribeFields() map[string]string {
	return map[string]string{"pin": "Four to twelve digits."}
}

func staffSetPIN(p Ports) bus.Capability {
	return bus.Define(bus.Capability{
		Name: "staff.setPin", Title: "Set a PIN", Category: "staff",
		Description: "Gives somebody at the desk a PIN, or another one; from then on it is asked when that person signs in. " +
			"Use it for somebody new, or when a PIN was forgotten or seen. A PIN can not be read again.",
		SideEffect: bus.UIOnly, Permissions: []string{"staff:write"}, Access: agentNever, Resources: write,
		Bulk: true, // a hash has no place in a record
	}, func(ctx context.Context, call *bus.Call, in staffPINIn) (out staffPerson, err error) {
		m, err := staffByID(ctx, in.StaffID)
		if err != nil {
			return out, err
		}
		if p.Random == nil {
			return out, bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "This program sets no PINs.").WithHint("Use staff.setPin at the window.")
		}
		hash, err := hashPIN(p.Random, in.PIN)
		if err != nil {
			return out, err
		}
		m.pin = true
		call.Summarize("Set the PIN of %s", m.name)
		call.Changed("staff", m.name+" has a new PIN.", m.id)
		return m.person(), exec(ctx, `INSERT INTO staff_pins (staff_id, hash, good_since) VALUES (?, ?, ?)
			ON CONFLICT (staff_id) DO UPDATE SET hash = excluded.hash, good_since = excluded.good_since`, m.id, hash, call.Now.UnixMilli())
	})
}
