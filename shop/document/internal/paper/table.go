package paper

// Column is a column of a table.
type Column struct {
	Title string
	Share float64 // width relative to the other columns
	Right bool    // aligned right, for amounts and counts
}

// Table starts a table. It ends with End or the next Table. Sum, Paragraph and the like may follow after End.
func (d *Doc) Table(columns ...Column) {
	var sum float64
	for _, c := range columns {
		sum += c.Share
	}
	free := d.width - gutter*float64(len(columns)-1)
	d.columns, d.edges = columns, d.edges[:0]
	x := d.margin
	for _, c := range columns {
		d.edges = append(d.edges, x)
		x += free*c.Share/sum + gutter
	}
	d.edges = append(d.edges, x)
	d.room(3 * head.height())
	d.titles()
}

// End ends the table.
func (d *Doc) End() { d.columns = nil }

func (d *Doc) titles() {
	cells := make([]string, len(d.columns))
	for i, c := range d.columns {
		cells[i] = c.Title
	}
	d.row(cells, head)
	d.Gap(0.8)
	d.Rule()
}

// Row prints a row with its cells wrapped in their columns. A row stays on one page if it fits on a page.
func (d *Doc) Row(cells ...string) { d.row(cells, body) }

func (d *Doc) row(cells []string, s style) {
	all := make([][]line, len(cells))
	highest := 0
	for i, text := range cells {
		all[i] = d.fonts.lines(text, d.cellWidth(i), s)
		highest = max(highest, len(all[i]))
	}
	if height := float64(highest) * s.height(); height <= d.bottom-d.margin-3*head.height() && s != head {
		d.room(height)
	}
	for n := range highest {
		if s != head {
			d.room(s.height())
		}
		for i, lines := range all {
			if n < len(lines) {
				d.print(lines[n:n+1], d.edges[i], d.cellWidth(i), s, d.columns[i].Right)
			}
		}
		d.y += s.height()
	}
	d.Gap(0.8)
}

func (d *Doc) cellWidth(i int) float64 { return d.edges[i+1] - d.edges[i] - gutter }
