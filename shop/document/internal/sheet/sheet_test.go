package sheet_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/shop/document/internal/sheet"
	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

var columns = []sheet.Column{{"Name", sheet.Text, 20}, {"Pieces", sheet.Count, 8}, {"Total", sheet.Amount, 12},
	{"Day", sheet.Day, 12}}

var day = time.Date(2026, time.March, 1, 23, 59, 0, 0, time.FixedZone("far", 14*3600))

// typed are texts of which some are formulas.
var typed = []string{`=cmd|' /C calc'!A0`, "+1", "-1", "@SUM(1)", "\tx", "Äpfel, \"süße\"", "林さん", "",
	" <b>&amp;\r\n", "_x0041_x0042_", "_x00G0_ _x_", strings.Repeat("ü", 32_800)}

func fill(t *testing.T, w sheet.Writer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range typed {
		if err := w.Row(name, int64(i), int64(-4783*i), day); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Row("empty", nil, nil, time.Time{}), w.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestACSVIsReadBack(t *testing.T) {
	var out bytes.Buffer
	w, err := sheet.NewCSV(&out, columns, 2)
	fill(t, w, err)
	if mark := string(out.Next(3)); mark != "\ufeff" {
		t.Errorf("it begins with %q, so that spreadsheets take it for another encoding", mark)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"'-1", "2", "-95.66", "2026-03-01"}, rows[3]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"empty", "", "", ""}, rows[len(rows)-1]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, row := range rows[1:] {
		if strings.ContainsAny(row[0][:min(1, len(row[0]))], "=+-@\t\r") {
			t.Errorf("%q is a formula", row[0])
		}
	}
}

func TestAWorkbookIsReadBack(t *testing.T) {
	for digits, total := range map[int]string{0: "-9566", 2: "-95.66", 3: "-9.566"} {
		var out bytes.Buffer
		w, err := sheet.NewXLSX(&out, "Orders", columns, digits)
		fill(t, w, err)
		f, err := excelize.OpenReader(&out)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := f.GetRows("Orders", excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range typed {
			cell := rows[i+1]
			if want := string([]rune(name)[:min(len([]rune(name)), excelize.TotalCellChars)]); cell[0] != want {
				t.Errorf("%.40q became %.40q", name, cell[0])
			}
			at, _ := excelize.CoordinatesToCellName(1, i+2)
			if formula, _ := f.GetCellFormula("Orders", at); formula != "" {
				t.Errorf("%s is the formula %q", at, formula)
			}
		}
		if got := rows[3][2]; got != total {
			t.Errorf("%d digits: total %s, want %s", digits, got, total)
		}
		kind, _ := f.GetCellType("Orders", "C4")
		if shown, _ := f.GetCellValue("Orders", "D4"); shown != "2026-03-01" || kind == excelize.CellTypeInlineString {
			t.Errorf("day %q, amount of type %v", shown, kind)
		}
		titles, _ := f.GetCellStyle("Orders", "B1")
		if style, err := f.GetStyle(titles); err != nil || style.Font == nil || !style.Font.Bold {
			t.Errorf("the titles have the style %+v (%v)", style, err)
		}
		if p, err := f.GetPanes("Orders"); err != nil || !p.Freeze || p.YSplit != 1 {
			t.Errorf("the titles do not stay: %+v (%v)", p, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestASheetHasMoreColumnsThanLettersAndANameThatExcelTakes(t *testing.T) {
	var out bytes.Buffer
	w, err := sheet.NewXLSX(&out, "Customers' orders", make([]sheet.Column, 1000), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Row(slices.Repeat([]any{int64(7)}, 1000)...), w.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range []int{1, 26, 27, 702, 703, 1000} {
		at, _ := excelize.CoordinatesToCellName(column, 2)
		if v, err := f.GetCellValue("Customers' orders", at); v != "7" {
			t.Errorf("%s has %q (%v)", at, v, err)
		}
	}
	for _, name := range []string{"", "a/b", "[a]", "'a", strings.Repeat("x", 32)} {
		if _, err := sheet.NewXLSX(io.Discard, name, columns, 2); err == nil {
			t.Errorf("a sheet is called %q", name)
		}
	}
}

// TestARowCostsLittle: nothing is built up with each row.
func TestARowCostsLittle(t *testing.T) {
	for name, begin := range map[string]func(io.Writer) (sheet.Writer, error){
		"csv":  func(w io.Writer) (sheet.Writer, error) { return sheet.NewCSV(w, columns, 2) },
		"xlsx": func(w io.Writer) (sheet.Writer, error) { return sheet.NewXLSX(w, "Rows", columns, 2) },
	} {
		w, err := begin(io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		row := []any{strings.Repeat("x", 100), int64(1), int64(2), day}
		if n := testing.AllocsPerRun(2000, func() {
			if err := w.Row(row...); err != nil {
				t.Fatal(err)
			}
		}); n > 60 {
			t.Errorf("%s: %v allocations a row", name, n)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}
