//go:build soak && host && linux

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/faulttest"
)

var (
	powerCuts = flag.Int("cuts", 0, "different states of each kind of work after a power cut; 0: some of the kinds, a few each")
	cutKind   = flag.String("kind", "", "only the kinds of work whose name matches")
)

// TestAPowerCutLosesNothing records every call of a program that changes a file, for each kind of work, rebuilds the
// folder as it may lie on the disk after a cut at any moment, opens it, and compares it with what had been answered. It
// needs strace.
func TestAPowerCutLosesNothing(t *testing.T) {
	quietMachine(t)
	only := regexp.MustCompile(*cutKind)
	for _, kind := range kindsOfWork {
		if !only.MatchString(kind.name) || *powerCuts == 0 && *cutKind == "" && !kind.short {
			continue
		}
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			o := record(t, kind)
			tried, failed := o.cut(max(*powerCuts/max(1, kind.slow), 40/max(1, kind.slow)), nil)
			for _, one := range failed {
				t.Error(one)
			}
			t.Logf("%s: %d events, %d answers, %d states: %s", kind.name, len(o.events), len(o.answers(len(o.events))), tried,
				kind.does)
		})
	}
}

// quietMachine keeps the keychain and the settings of this computer out of a test.
func quietMachine(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	t.Setenv("DESKHAND_HOST_KEY", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	t.Setenv("DESKHAND_TILL_KEY", "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY=")
}

// outage is a recorded run, and the folder that it changed.
type outage struct {
	t      *testing.T
	kind   kindOfWork
	random *rand.Rand
	root   string // what the power cut meets
	data   string // the shop in it
	beside string // other files
	said   map[string]*saying
	start  *faulttest.Disk
	events []faulttest.Event

	commands io.WriteCloser // of the traced shell
	programs int
}

// record runs a kind of work under strace.
func record(t *testing.T, kind kindOfWork) *outage {
	t.Helper()
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind.name)) // a hash takes all
	o := &outage{t: t, kind: kind, random: rand.New(rand.NewPCG(48, h.Sum64())), said: map[string]*saying{}}
	dir := fastFolder(t)
	o.root, o.beside = filepath.Join(dir, "root"), filepath.Join(dir, "beside")
	o.data = filepath.Join(o.root, "shop")
	for _, folder := range []string{o.root, o.beside} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if kind.prepare != nil {
		kind.prepare(o)
	}
	var err error
	if o.start, err = faulttest.NewDisk(o.root); err != nil {
		t.Fatal(err)
	}
	o.trace()
	if err := o.model(); err != nil {
		t.Fatal(err)
	}
	return o
}

// fastFolder is a folder in memory where the computer has one: what is synced there costs nothing.
func fastFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "deskhand-cut-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// trace runs the work. A shell starts the programs, so that all are in one trace.
func (o *outage) trace() {
	o.t.Helper()
	trace := filepath.Join(o.beside, "trace")
	shell := faulttest.Traced(trace, "sh", "-c", `while IFS= read -r line; do eval "$line" & done; wait`)
	shell.Dir = o.beside
	var said bytes.Buffer
	shell.Stderr = &said
	commands, err := shell.StdinPipe()
	if err == nil {
		err = shell.Start()
	}
	if err != nil {
		o.t.Fatal(err)
	}
	o.commands = commands
	o.kind.work(o)
	_ = commands.Close() // the shell may have ended
	if err := shell.Wait(); err != nil && !o.t.Failed() {
		o.t.Fatalf("%v: %s", err, said.String())
	}
	if o.events, err = faulttest.ReadTrace(trace, o.root); err != nil {
		o.t.Fatal(err)
	}
	if err := os.Remove(trace); err != nil {
		o.t.Fatal(err)
	}
	for _, line := range o.said {
		if line.answer == nil || !line.asWanted() {
			o.t.Fatalf("%s was answered %+v", line, line.answer)
		}
	}
}

// model says how the folder is not what the trace says.
func (o *outage) model() error {
	d := o.start.Copy()
	for i := range o.events {
		d.Step(&o.events[i])
	}
	if all := d.Differences(); len(all) > 0 {
		return fmt.Errorf("the trace does not explain the folder: %s", all)
	}
	return nil
}

// running is a program under the trace.
type running struct {
	o    *outage
	in   *os.File
	out  *bufio.Reader
	pid  string // the file that has it
	name string
	n    int
}

// program starts a program under the trace.
func (o *outage) program(args ...string) *running {
	o.t.Helper()
	o.programs++
	in, out := fmt.Sprintf("%s/in%d", o.beside, o.programs), fmt.Sprintf("%s/out%d", o.beside, o.programs)
	for _, pipe := range []string{in, out} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			o.t.Fatal(err)
		}
	}
	line := fmt.Sprintf(`sh -c 'echo $$ >pid%d; exec "$@"' sh`, o.programs)
	for _, word := range args {
		line += " '" + word + "'"
	}
	if _, err := fmt.Fprintf(o.commands, "%s <%s >%s\n", line, in, out); err != nil {
		o.t.Fatal(err)
	}
	w, err := os.OpenFile(in, os.O_WRONLY, 0)
	if err != nil {
		o.t.Fatal(err)
	}
	r, err := os.Open(out)
	if err != nil {
		o.t.Fatal(err)
	}
	return &running{o: o, in: w, out: bufio.NewReaderSize(r, 1<<20), pid: fmt.Sprintf("%s/pid%d", o.beside, o.programs),
		name: fmt.Sprintf("%.3s%d", o.kind.name, o.programs)}
}

// interrupt ends a program that serves. A shell has what it starts beside itself ignore SIGINT.
func (p *running) interrupt() {
	p.o.t.Helper()
	raw, err := os.ReadFile(p.pid)
	pid := 0
	if err == nil {
		pid, err = strconv.Atoi(strings.TrimSpace(string(raw)))
	}
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGTERM)
	}
	if err != nil {
		p.o.t.Fatal(err)
	}
	p.end()
}

// bus starts `deskhand bus` on a folder.
func (o *outage) bus(folder string) *running {
	o.t.Helper()
	return o.program("deskhand", "--data", folder, "bus", "--approve", "allow")
}

// end closes the input of a program and returns the rest of its output.
func (p *running) end() string {
	_ = p.in.Close()
	rest, _ := io.ReadAll(p.out) // what it said is looked at
	return string(rest)
}

// data is the data of an answer.
type answerData json.RawMessage

// field returns a text in it, such as lines.0.id.
func (d answerData) field(path string) string {
	var v any
	_ = json.Unmarshal(d, &v) // then there is no such field
	s, _ := valueAt(v, path).(string)
	return s
}

// say sends a line that has to succeed, with a key.
func (p *running) say(capability, args string, more ...any) answerData {
	return p.line(capability, true, "", args, more...)
}

// line sends a line and waits for its answer.
func (p *running) line(capability string, key bool, code bus.Code, args string, more ...any) answerData {
	p.o.t.Helper()
	p.n++
	l := &saying{inv: bus.Invocation{Capability: capability, RequestID: fmt.Sprintf("%s-%d", p.name, p.n),
		Arguments: json.RawMessage(fmt.Sprintf(args, more...))}, want: code}
	if key {
		l.inv.IdempotencyKey = "key-" + l.inv.RequestID
	}
	return p.talk(l)
}

func (p *running) talk(l *saying) answerData {
	p.o.t.Helper()
	if _, err := p.in.Write(l.wire(p.o.t)); err != nil {
		p.o.t.Fatal(err)
	}
	answer, err := p.out.ReadBytes('\n')
	if err != nil || !l.heard(answer) || !l.asWanted() {
		p.o.t.Fatalf("%s %s was answered %s, %v", l, l.inv.Arguments, answer, err)
	}
	p.o.said[l.inv.RequestID] = l
	return answerData(l.answer.Data)
}

// again sends a line that was sent before.
func (p *running) again(request string) {
	l := *p.o.said[request]
	p.n++
	l.inv.RequestID, l.answer = fmt.Sprintf("%s-%d", p.name, p.n), nil
	p.talk(&l)
}

// heard is an answer that a program had begun to write.
type heardAnswer struct {
	Status    bus.Status      `json:"status"`
	RequestID string          `json:"request_id"`
	Replayed  bool            `json:"replayed"`
	Data      json.RawMessage `json:"data"`
	Error     *bus.Error      `json:"error"`
}

// pipe is what an event writes into the pipe that is the standard output of a program.
func (o *outage) pipe(event int) []byte {
	e := &o.events[event]
	text, is := e.Said()
	if !is || !strings.HasPrefix(e.Path(), filepath.Join(o.beside, "out")) {
		return nil
	}
	return text
}

// answers reads what was written to standard outputs by the first events.
func (o *outage) answers(events int) map[string]heardAnswer {
	all := map[string]heardAnswer{}
	for i := range o.events[:events] {
		for line := range bytes.Lines(o.pipe(i)) {
			var a heardAnswer
			if json.Unmarshal(line, &a) == nil && a.Status != "" {
				all[a.RequestID] = a
			}
		}
	}
	return all
}

// printed is the rest of what was written to standard outputs.
func (o *outage) printed(events int) string {
	var b strings.Builder
	for i := range o.events[:events] {
		b.Write(o.pipe(i))
	}
	return b.String()
}

// cut examines so many different states and returns how many there were, and what was wrong in them. Events for which
// left returns true are as if they had not been.
func (o *outage) cut(states int, left func(*faulttest.Event) bool) (tried int, failed []string) {
	var moments []int // where a cut is likelier to matter
	for i := range o.events {
		e := &o.events[i]
		if _, is := e.Said(); is || e.IsSync() || !strings.HasSuffix(e.Path(), "-wal") {
			moments = append(moments, i)
		}
	}
	if len(o.events) == 0 {
		return 0, []string{"nothing was written"}
	}
	type state struct{ hash, answers uint64 }
	seen := map[state]bool{}
	for pass := 0; tried < states && pass < 12 && len(failed) < 5; pass++ {
		cuts := make([]int, states-tried)
		for i := range cuts {
			cuts[i] = o.random.IntN(len(o.events))
			if o.random.IntN(5) < 3 {
				cuts[i] = moments[o.random.IntN(len(moments))]
			}
		}
		slices.Sort(cuts)
		d, at, before := o.start.Copy(), 0, tried
		for i, cut := range cuts {
			for ; at <= cut; at++ {
				if e := &o.events[at]; left == nil || !left(e) {
					d.Step(e)
				}
			}
			mode := faulttest.Modes[(i+pass)%len(faulttest.Modes)]
			s := d.Cut(mode, o.random)
			answers := o.answers(at)
			key := state{d.Hash(s), uint64(len(answers))}
			if seen[key] {
				continue
			}
			seen[key] = true
			tried++
			if wrong := o.look(s, at, answers, tried); len(wrong) > 0 {
				failed = append(failed, fmt.Sprintf("cut after event %d of %d, mode %s, %d answers: %s", at, len(o.events), mode,
					len(answers), strings.Join(wrong, "; ")))
				if len(failed) == 5 {
					break
				}
			}
		}
		if tried == before && pass > 3 {
			break // there are no more
		}
	}
	return tried, failed
}

// look says what is wrong in a state.
func (o *outage) look(s faulttest.State, events int, answers map[string]heardAnswer, n int) (wrong []string) {
	folder := filepath.Join(o.beside, "state")
	if err := os.RemoveAll(folder); err != nil {
		o.t.Fatal(err)
	}
	o.write(s, folder)
	if o.kind.look != nil {
		return o.kind.look(o, folder, events)
	}
	e := &examination{o: o, folder: folder, data: filepath.Join(folder, "shop"), answers: answers}
	e.shop(n)
	return e.wrong
}

// write makes the folder of a state.
func (o *outage) write(s faulttest.State, to string) {
	o.t.Helper()
	for _, path := range slices.Sorted(maps.Keys(s)) {
		at := filepath.Join(to, path)
		var err error
		if s[path] == nil {
			err = os.MkdirAll(at, 0o700)
		} else {
			err = os.WriteFile(at, s[path], 0o600)
		}
		if err != nil {
			o.t.Fatal(err)
		}
	}
}

// examination is that of one state.
type examination struct {
	o            *outage
	folder, data string
	answers      map[string]heardAnswer
	wrong        []string
}

func (e *examination) note(format string, args ...any) {
	e.wrong = append(e.wrong, fmt.Sprintf(format, args...))
}

// shop opens the shop and compares it with the answers.
func (e *examination) shop(n int) {
	ctx := context.Background()
	d, err := desk.Open(ctx, desk.Options{Folder: e.data, Door: "cli", Create: e.o.kind.noShop})
	if err != nil {
		e.note("the shop does not open: %v", err)
		return
	}
	defer func() {
		if d != nil {
			_ = d.Close()
		}
	}()
	if e.o.kind.noShop {
		e.setUp(d)
	}
	e.whole(ctx, d)
	e.recorded(ctx, d)
	e.files(ctx, d)
	if n%6 == 0 {
		e.again(ctx, d)
	}
	e.sale(ctx, d, n%3 == 0)
	if err := d.Close(); err != nil {
		e.note("close: %v", err)
	}
	d = nil
	if n%25 == 0 {
		var out bytes.Buffer
		if code := execute(ctx, []string{"--data", e.data, "doctor"}, strings.NewReader(""), &out, &out); code != 0 ||
			strings.Contains(out.String(), "MISS") {
			e.note("doctor: code %d: %s", code, out.String())
		}
	}
}

// setUp makes the shop if the cut was before there was one.
func (e *examination) setUp(d *desk.Desk) {
	r, err := d.Invoke(context.Background(), "shop.setUp", json.RawMessage(emptyShop), "init")
	exists := err == nil && r.Err != nil && r.Err.Code == bus.PreconditionFailed
	if err != nil || !r.OK() && !exists {
		e.note("the shop cannot be set up: %v %v", r.Err, err)
	}
	if len(e.answers) > 0 && !exists {
		e.note("the shop was answered and is gone")
	}
	if r, err := d.Invoke(context.Background(), "catalog.createProduct", json.RawMessage(oneProduct), "init"); err != nil ||
		!r.OK() {
		e.note("no product can be added: %v %v", r.Err, err)
	}
}

// whole looks at the log, the rows and the file.
func (e *examination) whole(ctx context.Context, d *desk.Desk) {
	if v, err := d.Log.Verify(ctx, nil); err != nil || !v.OK {
		e.note("the chain: %+v %v", v, err)
	}
	if v, err := d.Log.VerifyState(ctx, nil); err != nil || !v.OK {
		e.note("the rows: %+v %v", v, err)
	}
	for what, query := range map[string]string{
		"integrity":        `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
		"a foreign key":    `SELECT "table" || ' ' || rowid FROM pragma_foreign_key_check`,
		"a stock":          `SELECT v.id FROM variants v WHERE stock IS NOT NULL AND stock <> (SELECT coalesce(sum(delta), 0) FROM stock_movements WHERE variant_id = v.id)`,
		"a step under way": `SELECT count(*) FROM audit_inflight HAVING count(*) > 0`,
	} {
		for _, one := range e.texts(ctx, d, query) {
			e.note("%s: %s", what, one)
		}
	}
}

// texts reads the one column of a query.
func (e *examination) texts(ctx context.Context, d *desk.Desk, query string) (all []string) {
	err := d.Log.View(ctx, func(ctx context.Context) error {
		rows, err := audit.Tx(ctx).QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var one string
			if err := rows.Scan(&one); err != nil {
				return err
			}
			all = append(all, one)
		}
		return rows.Err()
	})
	if err != nil {
		e.note("%s: %v", query, err)
	}
	return all
}

// recorded compares the answers with the records: each has one, with its status.
func (e *examination) recorded(ctx context.Context, d *desk.Desk) {
	records, done := map[string]string{}, map[string]bool{}
	for seq := int64(0); ; {
		page, err := d.Log.Tail(ctx, seq, 500)
		if err != nil {
			e.note("the records: %v", err)
			return
		}
		for i := range page {
			r := &page[i]
			seq = r.Seq
			if records[r.RequestID] != "" {
				e.note("%s has two records", r.RequestID)
			}
			records[r.RequestID] = string(r.Status)
			if key := r.Capability + " " + r.IdempotencyKey; r.IdempotencyKey != "" && r.Status == "success" && !r.Replayed {
				if done[key] {
					e.note("the key %s was done twice", key)
				}
				done[key] = true
			}
		}
		if len(page) < 500 {
			break
		}
	}
	for _, one := range e.texts(ctx, d, `SELECT request_id || ' ' || status FROM audit_reads`) {
		request, status, _ := strings.Cut(one, " ")
		records[request] = status
	}
	for request, a := range e.answers {
		line := e.o.said[request]
		if line == nil || line.look || e.o.kind.elsewhere {
			continue
		}
		if e.o.kind.purges && records[request] == "" {
			continue
		}
		if records[request] != string(a.Status) {
			e.note("%s was answered %s and is recorded as %q", line, a.Status, records[request])
		}
	}
}

// files looks for the files that were answered.
func (e *examination) files(ctx context.Context, d *desk.Desk) {
	for request, a := range e.answers {
		file := answerData(a.Data).field("file")
		line := e.o.said[request]
		if line == nil || a.Status != bus.StatusSuccess || file == "" || !writesFile[line.inv.Capability] {
			continue
		}
		below, inside := strings.CutPrefix(file, e.o.root)
		path := filepath.Join(e.data, file)
		if inside {
			path = filepath.Join(e.folder, below)
		}
		was := filepath.Join(e.o.data, file)
		if inside {
			was = file
		}
		want, err := os.ReadFile(was)
		if err != nil {
			e.note("%s answered a file that is not there at the end: %v", line, err)
			continue
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			e.note("%s: the file has %d bytes of %d: %v", line, len(got), len(want), err)
		}
	}
}

// writesFile are the capabilities that answer the name of a file.
var writesFile = map[string]bool{"shop.backup": true, "shop.export": true, "document.export": true, "audit.export": true}

// again sends the lines with keys again: what was answered is replayed.
func (e *examination) again(ctx context.Context, d *desk.Desk) {
	for request, line := range e.o.said {
		a, answered := e.answers[request]
		if !answered || line.inv.IdempotencyKey == "" || a.Status != bus.StatusSuccess || !e.o.kind.keys {
			continue
		}
		inv := line.inv
		inv.RequestID, inv.Principal, inv.Caller = "", d.Person, bus.Caller{Type: bus.CallerCLI}
		if r := d.Bus.Invoke(ctx, inv); !r.OK() || !r.Replayed || !sameJSON(r.Data, a.Data) {
			e.note("%s was answered %s and is now %+v", line, a.Data, r)
		}
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && asJSON(x) == asJSON(y)
}

// sale makes one more sale, and looks at the chain after it when asked to.
func (e *examination) sale(ctx context.Context, d *desk.Desk, look bool) {
	product := e.texts(ctx, d, `SELECT product_id FROM variants WHERE stock IS NULL OR stock > 0 ORDER BY id LIMIT 1`)
	if len(product) == 0 {
		e.note("there is nothing to sell")
		return
	}
	for _, line := range [][2]string{{"cart.clear", `{}`}, {"cart.setCustomer", `{"walkIn":true}`},
		{"cart.addItem", fmt.Sprintf(`{"productId":%q,"quantity":1}`, product[0])},
		{"checkout.submit", `{"paymentMethodId":"cash","fulfilment":"takeAway"}`}} {
		if r, err := d.Invoke(ctx, line[0], json.RawMessage(line[1]), "test"); err != nil || !r.OK() && line[0] != "cart.clear" {
			e.note("one more sale: %s: %v %v", line[0], r.Err, err)
			return
		}
	}
	if !look {
		return
	}
	if v, err := d.Log.Verify(ctx, nil); err != nil || !v.OK {
		e.note("the chain after one more sale: %+v %v", v, err)
	}
	if v, err := d.Log.VerifyState(ctx, nil); err != nil || !v.OK {
		e.note("the rows after one more sale: %+v %v", v, err)
	}
}

// TestASyncThatIsMissingIsFound leaves the syncs of one file out of a recorded run, as if the program had not made them:
// the suite has to find that.
func TestASyncThatIsMissingIsFound(t *testing.T) {
	quietMachine(t)
	of := func(suffix string) func(*faulttest.Event) bool {
		return func(e *faulttest.Event) bool { return e.IsSync() && strings.HasSuffix(e.Path(), suffix) }
	}
	for _, c := range []struct {
		kind, file string
		long       bool
	}{{"sales", "-wal", false}, {"files", ".new", false}, {"files", "/shop", false}, {"copies", "/backups", true},
		{"sales", "shop.db", true}} {
		if c.long && *powerCuts == 0 {
			continue
		}
		t.Run(c.kind+c.file, func(t *testing.T) {
			t.Parallel()
			at := slices.IndexFunc(kindsOfWork, func(k kindOfWork) bool { return k.name == c.kind })
			o := record(t, kindsOfWork[at])
			if !slices.ContainsFunc(o.events, func(e faulttest.Event) bool { return of(c.file)(&e) }) {
				t.Fatalf("no file %s is synced", c.file)
			}
			tried, failed := o.cut(400, of(c.file))
			if len(failed) == 0 {
				t.Errorf("nothing was found in %d states without the syncs of %s", tried, c.file)
				return
			}
			t.Logf("found in %d states: %.200s", tried, failed[0])
		})
	}
}
