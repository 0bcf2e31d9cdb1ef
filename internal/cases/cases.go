// Package cases stores sentences with the rows before and after them, and replays them to an assistant on a copy of the
// shop.
package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const (
	format  = "deskhand.case"
	version = 1

	// MaxSize is the size limit of a case file in bytes.
	MaxSize = 1 << 20
	// MaxFiles limits the number of cases in a folder.
	MaxFiles = 1000
)

// Case is a sentence with the rows before it and the correct calls, with the rows that they changed.
type Case struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Said    string `json:"said"`
	At      int64  `json:"at"` // time of the sentence, Unix milliseconds
	// Before holds the rows by table, each by column.
	Before map[string][]map[string]any `json:"before"`
	Calls  []Call                      `json:"calls"`
}

// Call is a call that changes data.
type Call struct {
	Capability string          `json:"capability"`
	Arguments  json.RawMessage `json:"arguments"`
	Time       int64           `json:"time"`
	Seed       string          `json:"seed"` // of its ids
	Steps      []string        `json:"steps,omitempty"`
	After      []bus.Effect    `json:"after"` // the rows that it changes
}

// person is a placeholder for the id of the person who speaks.
const person = "@person"

// The tables of a case. A table comes after the tables that its rows refer to.
var tables = strings.Fields(`shop tax_classes shipping_methods products product_tags variants customers customer_notes
	merged_customers addresses payment_methods carts cart_lines current_carts orders order_lines order_shipping payments
	fulfilments fulfilment_lines order_requests order_request_lines order_notes order_changes receipts receipt_lines
	receipt_rates receipt_payments stock_movements`)

// Read reads a file of a case. Its errors name the file and a way out.
func Read(path string) (*Case, error) {
	c, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\nKeep it again with: deskhand audit keep REQUEST -o %s", path, err,
			filepath.Base(path))
	}
	return c, nil
}

func read(path string) (*Case, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it is only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.New("this is no file"))
	}
	raw, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	switch {
	case err != nil:
		return nil, err
	case len(raw) > MaxSize:
		return nil, fmt.Errorf("a case has at most %d bytes", MaxSize)
	}
	return parse(raw)
}

func parse(raw []byte) (*Case, error) {
	var c Case
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("this is no case: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more after the case")
	}
	return &c, c.check()
}

// check reports the first fault of a case.
func (c *Case) check() error {
	switch {
	case c.Format != format:
		return fmt.Errorf("the format is %q, not %q", c.Format, format)
	case c.Version != version:
		return fmt.Errorf("version %d is unknown: this program reads version %d", c.Version, version)
	case strings.TrimSpace(c.Said) == "":
		return errors.New("there is no sentence in “said”")
	case c.At <= 0 || c.At >= 253402300800000:
		return errors.New("“at” is no time in milliseconds since 1970")
	case len(c.Before["shop"]) != 1:
		return errors.New("“before” wants one row of the table shop")
	case len(c.Calls) == 0:
		return errors.New("there are no calls")
	}
	known := map[string]bool{}
	for _, name := range tables {
		known[name] = true
	}
	for name, rows := range c.Before {
		if !known[name] {
			return fmt.Errorf("“before” has a table %q, which no case has", name)
		}
		for _, row := range rows {
			for column, v := range row {
				switch v.(type) {
				case nil, string, json.Number:
				default:
					return fmt.Errorf("%s.%s is neither a text nor a number", name, column)
				}
			}
		}
	}
	return nil
}

// records returns the calls in the form of log records.
func (c *Case) records() (list []audit.Record) {
	for _, call := range c.Calls {
		var r audit.Record
		r.Capability, r.Arguments, r.Time, r.Seed = call.Capability, call.Arguments, call.Time, call.Seed
		r.Steps, r.Effects, r.Status = call.Steps, call.After, bus.StatusSuccess
		list = append(list, r)
	}
	return list
}

// dropNewColumns removes the columns from effects that the shop has gained since the case was stored. A row of the case
// has all columns of its time.
func (c *Case) dropNewColumns(made []audit.Record) {
	known := map[string]map[string]bool{} // table to columns
	note := func(table string, row map[string]any) {
		if known[table] == nil {
			known[table] = map[string]bool{}
		}
		for column := range row {
			known[table][column] = true
		}
	}
	for table, rows := range c.Before {
		for _, row := range rows {
			note(table, row)
		}
	}
	for _, call := range c.Calls {
		for _, e := range call.After {
			note(e.Table, e.Before)
			note(e.Table, e.After)
		}
	}
	for _, r := range made {
		for _, e := range r.Effects {
			isNew := func(column string, _ any) bool { return !known[e.Table][column] }
			if known[e.Table] != nil {
				maps.DeleteFunc(e.Before, isNew)
				maps.DeleteFunc(e.After, isNew)
			}
		}
	}
}

// forPerson replaces the placeholder of the person by an id.
func (c *Case) forPerson(id string) (*Case, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	to, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	return parse(bytes.ReplaceAll(raw, []byte(`"`+person+`"`), to))
}
