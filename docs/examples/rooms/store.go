package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// The errors of the functions below. The API has a status for each.
var (
	errInvalid   = errors.New("this is not valid")
	errForbidden = errors.New("you may not do this")
	errNotFound  = errors.New("there is no such thing")
	errTaken     = errors.New("the room is taken then")
)

type (
	booking struct {
		ID    string `json:"id"`
		Room  string `json:"room"`
		Day   string `json:"day"`
		Hour  int    `json:"hour"`
		Title string `json:"title"`
		By    string `json:"by"`
	}
	bookings struct {
		Bookings []booking `json:"bookings"`
	}
	day struct {
		Day string `json:"day"`
	}
	bookIn struct {
		Room  string `json:"room"`
		Day   string `json:"day"`
		Hour  int    `json:"hour"`
		Title string `json:"title"`
	}
	moveIn struct {
		ID   string `json:"id"`
		Hour int    `json:"hour"`
	}
	id struct {
		ID string `json:"id"`
	}
	room struct {
		Room string `json:"room"`
	}
)

// queries are those of a database or of a transaction.
type queries interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

type txKey struct{}

// user is the person who made a request; the context has it by userKey.
type user struct {
	Name  string
	Admin bool
}

type userKey struct{}

func userOf(ctx context.Context) user {
	u, _ := ctx.Value(userKey{}).(user)
	return u
}

// store has the functions of the program. Each works in the transaction of its context, if there is one.
type store struct{ db *sql.DB }

func (s *store) in(ctx context.Context) queries {
	if tx, ok := ctx.Value(txKey{}).(queries); ok {
		return tx
	}
	return s.db
}

const columns = `id, room, day, hour, title, person`

func (b *booking) fields() []any { return []any{&b.ID, &b.Room, &b.Day, &b.Hour, &b.Title, &b.By} }

func (s *store) list(ctx context.Context, in day) (bookings, error) {
	out := bookings{Bookings: []booking{}}
	const query = `SELECT ` + columns + ` FROM bookings WHERE day = ? ORDER BY hour, room`
	rows, err := s.in(ctx).QueryContext(ctx, query, in.Day)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	for rows.Next() {
		var b booking
		if err := rows.Scan(b.fields()...); err != nil {
			return out, err
		}
		out.Bookings = append(out.Bookings, b)
	}
	return out, rows.Err()
}

func (s *store) book(ctx context.Context, in bookIn) (b booking, err error) {
	if in.Hour < 8 || in.Hour > 17 {
		return b, fmt.Errorf("%w: hour is from 8 to 17", errInvalid)
	}
	err = s.in(ctx).QueryRowContext(ctx, `SELECT name FROM rooms WHERE name = ?`, in.Room).Scan(&in.Room)
	if err != nil {
		return b, orElse(err, errNotFound)
	}
	err = s.in(ctx).QueryRowContext(ctx, `INSERT INTO bookings (room, day, hour, title, person)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING `+columns,
		in.Room, in.Day, in.Hour, in.Title, userOf(ctx).Name).Scan(b.fields()...)
	return b, orElse(err, errTaken)
}

func (s *store) move(ctx context.Context, in moveIn) (b booking, err error) {
	if in.Hour < 8 || in.Hour > 17 {
		return b, fmt.Errorf("%w: hour is from 8 to 17", errInvalid)
	}
	if _, err := s.own(ctx, in.ID); err != nil {
		return b, err
	}
	err = s.in(ctx).QueryRowContext(ctx, `UPDATE OR IGNORE bookings SET hour = ? WHERE id = ? RETURNING `+columns,
		in.Hour, in.ID).Scan(b.fields()...)
	return b, orElse(err, errTaken)
}

func (s *store) cancel(ctx context.Context, in id) (booking, error) {
	b, err := s.own(ctx, in.ID)
	if err != nil {
		return b, err
	}
	_, err = s.in(ctx).ExecContext(ctx, `DELETE FROM bookings WHERE id = ?`, in.ID)
	return b, err
}

func (s *store) closeRoom(ctx context.Context, in room) (room, error) {
	if !userOf(ctx).Admin {
		return in, errForbidden
	}
	if _, err := s.in(ctx).ExecContext(ctx, `DELETE FROM bookings WHERE room = ?`, in.Room); err != nil {
		return in, err
	}
	row := s.in(ctx).QueryRowContext(ctx, `DELETE FROM rooms WHERE name = ? RETURNING name`, in.Room)
	return in, orElse(row.Scan(&in.Room), errNotFound)
}

func (s *store) addRoom(ctx context.Context, in room) (room, error) {
	row := s.in(ctx).QueryRowContext(ctx, `INSERT OR IGNORE INTO rooms VALUES (?) RETURNING name`, in.Room)
	return in, orElse(row.Scan(&in.Room), errTaken)
}

// own returns a booking of the user.
func (s *store) own(ctx context.Context, booking string) (b booking, err error) {
	err = s.in(ctx).QueryRowContext(ctx, `SELECT `+columns+` FROM bookings WHERE id = ?`, booking).Scan(b.fields()...)
	if u := userOf(ctx); err == nil && b.By != u.Name && !u.Admin {
		return b, errForbidden
	}
	return b, orElse(err, errNotFound)
}

// orElse returns none in place of the error about a query without a row.
func orElse(err, none error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return none
	}
	return err
}
