package desk_test

import (
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

type backups struct {
	Folder string
	Daily  bool
	Copies []struct {
		Name                      string
		Written                   int64
		Daily, Replaced           bool
		LostOrders, LostCustomers int64
		Records, Bytes            int64
	}
}

func TestACopyIsWrittenEachDayAndTheNewestAreKept(t *testing.T) {
	now := time.Now()
	d := desktest.Sample(t, desk.Options{Allow: true, Clock: func() time.Time { return now }})
	list := func() (b backups) {
		t.Helper()
		desktest.Must(t, d, bus.CallerUI, "shop.listBackups", `{}`, &b)
		return b
	}
	written := func(want int) {
		t.Helper()
		if err := d.CopyIfDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := list(); len(got.Copies) != want || !strings.HasSuffix(got.Folder, "backups") {
			t.Fatalf("%d copies in %s, want %d", len(got.Copies), got.Folder, want)
		}
	}
	written(0) // the shop is new
	now = now.Add(25 * time.Hour)
	written(1)
	written(1) // the next one is due tomorrow
	desktest.Must(t, d, bus.CallerUI, "shop.backup", `{}`, nil)
	for day := range 9 {
		now = now.Add(25 * time.Hour)
		written(min(3+day, 8)) // seven daily ones, and the one by hand
	}
	if first := list().Copies[0]; !first.Daily || first.Written != now.Truncate(time.Second).UnixMilli() {
		t.Errorf("the newest is %+v, at %v", first, now)
	}
	page, err := d.Log.Search(t.Context(), audit.Query{CallerType: bus.CallerSchedule})
	if err != nil || len(page.Records) != 10 || page.Records[0].Caller.Role != "owner" {
		t.Errorf("recorded %d times: %v", len(page.Records), err)
	}

	desktest.Must(t, d, bus.CallerUI, "shop.setDailyBackup", `{"daily":false}`, nil)
	now = now.Add(25 * time.Hour)
	written(8)
	if list().Daily {
		t.Error("daily copies are off, and the list says they are on")
	}
}

func TestTheCopiesTellWhatWouldBeLost(t *testing.T) {
	now := time.Now()
	d := desktest.Sample(t, desk.Options{Allow: true, Clock: func() time.Time { return now }})
	desktest.Must(t, d, bus.CallerUI, "shop.backup", `{}`, nil)
	now = now.Add(time.Hour)
	desktest.Must(t, d, bus.CallerUI, "customer.create", `{"name":"Kim After"}`, nil)
	var b backups
	desktest.Must(t, d, bus.CallerUI, "shop.listBackups", `{}`, &b)
	if c := b.Copies[0]; c.LostCustomers != 1 || c.LostOrders != 0 || c.Records == 0 || c.Bytes == 0 {
		t.Errorf("%+v", c)
	}
	r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "shop.restore", Principal: d.Person,
		Caller: bus.Caller{Type: bus.CallerUI}})
	page, err := d.Log.Search(t.Context(), audit.Query{Capability: "shop.restore"})
	if !r.OK() || err != nil || !strings.Contains(page.Records[0].Summary, "Lost since then: orders 0, new customers 1") {
		t.Errorf("restored: %+v, %v, %v", page.Records, r.Err, err)
	}
	desktest.Must(t, d, bus.CallerUI, "shop.listBackups", `{}`, &b)
	if c := b.Copies[0]; !c.Replaced && !b.Copies[1].Replaced {
		t.Errorf("what was replaced is not told: %+v", b.Copies)
	}
}
