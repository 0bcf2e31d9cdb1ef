// Loans lends the tools of a house to people who each have a page of their own. It prints a link for each of them.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

var (
	//go:embed *.sql page
	files embed.FS
	//go:embed texts.txt
	texts  string // titles, descriptions and phrases of the capabilities
	people = []bus.Principal{{ID: "ana", Name: "Ana", Scopes: []string{"tool:use"}, Door: "web"},
		{ID: "kim", Name: "Kim", Scopes: []string{"tool:use"}, Door: "web"}}
)

func main() {
	const host = "127.0.0.1:8470"
	ctx := context.Background()
	journal, err := audit.Open(ctx, "loans.db", audit.Options{Migrations: files, Modules: agent.Modules()})
	if err == nil {
		err = http.ListenAndServe(host, newServer(ctx, journal, host, os.Stdout))
	}
	log.Fatal(err)
}

// newServer serves the people at one host, and prints their links.
func newServer(ctx context.Context, journal *audit.Log, host string, links io.Writer) http.Handler {
	doors, tokens := map[string]*door{}, map[string]*door{} // by person, by token
	rules := policy.New(policy.Options{Log: journal,
		OnCard: func(e policy.CardEvent) { doors[e.Card.Person].Emit("approval", e) }})
	b := bus.New(bus.Options{Journal: journal, Approver: rules, Name: "Loans", Version: "1.0.0"})
	b.MustRegister(capabilities()...)
	bridge := agent.New(agent.Options{Bus: b, Policy: rules, Store: agent.NewStore(journal),
		Model: func() model.Model { return builtin.New(nil, nil, nil) }})
	for _, who := range people {
		token, d := rand.Text(), newDoor(ctx, who, page.Desk{Bus: b, Bridge: bridge, Policy: rules})
		doors[who.ID], tokens[token] = d, d
		fmt.Fprintf(links, "%s: http://%s/page/#%s\n", who.Name, host, token)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d := tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
		w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
		switch origin := r.Header.Get("Origin"); {
		case r.Host != host || origin != "" && origin != "http://"+host:
			http.Error(w, "This is for the pages of http://"+host+" alone.", http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/page/"): // the token stands after the #, which a browser does not send
			http.FileServerFS(files).ServeHTTP(w, r)
		case d == nil:
			http.Error(w, "Open the link that the program printed.", http.StatusUnauthorized)
		case r.URL.Path == "/events":
			d.stream(w, r)
		case r.Method != http.MethodPost || d.post[r.URL.Path] == nil:
			http.NotFound(w, r)
		default:
			body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // what was cut off is no JSON
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, d.post[r.URL.Path](string(body)))
		}
	})
}

// door answers the requests of one person. Only their token says whose they are.
type door struct {
	page.Boundary
	post  map[string]func(string) string // by path
	mu    sync.Mutex
	pages map[http.ResponseWriter]bool // the open event streams
}

func newDoor(ctx context.Context, who bus.Principal, desk page.Desk) *door {
	d := &door{pages: map[http.ResponseWriter]bool{}}
	d.post = map[string]func(string) string{"/invoke": d.Invoke, "/cards": d.Manifest, "/say": d.Send, "/decide": d.Decide}
	desk.Who = func(context.Context) bus.Principal { return who }
	desk.Answer = func(ctx context.Context, invocation []byte, _ func(*bus.Invocation)) bus.Result {
		return desk.Bus.InvokeJSON(ctx, invocation, func(i *bus.Invocation) {
			i.Principal, i.Caller = who, bus.Caller{Type: bus.CallerUI, Source: who.ID} // each has keys of their own
		})
	}
	d.Context, d.Emit, d.Reach = ctx, page.Numbered(d.emit), func() (*page.Desk, error) { return &desk, nil }
	heard := desk.Bus.SubscribeAs(bus.View{Caller: bus.CallerUI, Principal: who})
	go func() {
		for e, err := heard.Next(ctx); err == nil; e, err = heard.Next(ctx) {
			d.Emit("bus", e)
		}
	}()
	return d
}

// stream keeps a page connected; emit sends it what happens.
func (d *door) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	d.mu.Lock()
	d.pages[w] = true
	http.NewResponseController(w).Flush()
	d.mu.Unlock()
	<-r.Context().Done()
	d.mu.Lock()
	delete(d.pages, w)
	d.mu.Unlock()
}

// emit sends an event to the person's pages. The connection of one that takes nothing for ten seconds ends.
func (d *door) emit(name, data string, _ int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for w := range d.pages {
		connection := http.NewResponseController(w)
		connection.SetWriteDeadline(time.Now().Add(10 * time.Second))
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
		connection.Flush() // where it fails, the request ends
	}
}

type tool struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	LentTo string `json:"lentTo,omitempty"`
}

type toolIn struct {
	ToolID string `json:"toolId" jsonschema:"title=Tool"`
}

// capabilities are all that can be done with tools, by a page or the assistant.
func capabilities() []bus.Capability {
	of := func(name string, class bus.SideEffect) bus.Capability {
		return bus.Capability{Name: name, Texts: texts, SideEffect: class, Reversible: class == bus.UIOnly,
			Permissions: []string{"tool:use"}, Resources: []string{"database:read", "database:write"}}
	}
	read := of("tool.list", bus.Pure)
	read.Resources = []string{"database:read"}
	read.Entities = []bus.Entity{{Type: "tool", Title: "Tool", List: "/tools"}}
	return []bus.Capability{
		bus.Define(read, list),
		bus.Define(of("tool.borrow", bus.UIOnly), change(false, `INSERT INTO loans VALUES (?1, ?2)`)),
		bus.Define(of("tool.return", bus.UIOnly), change(true, `DELETE FROM loans WHERE tool_id = ?1 AND person = ?2`)),
		bus.Define(of("tool.discard", bus.Destructive), change(false, `DELETE FROM tools WHERE id = ?1`)),
	}
}

const tools = `SELECT id, name, coalesce(person, '') FROM tools LEFT JOIN loans ON tool_id = id `

func list(ctx context.Context, _ *bus.Call, _ struct{}) (out struct {
	Tools []tool `json:"tools"`
}, err error) {
	out.Tools = []tool{}
	rows, err := audit.Tx(ctx).QueryContext(ctx, tools+`ORDER BY name, id`)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	for rows.Next() && err == nil {
		var t tool
		err = rows.Scan(&t.ID, &t.Name, &t.LentTo)
		out.Tools = append(out.Tools, t)
	}
	return out, errors.Join(err, rows.Err())
}

// change handles a capability by an SQL statement about a tool that is lent to the person, or else to nobody.
func change(lent bool, statement string) func(context.Context, *bus.Call, toolIn) (tool, error) {
	return func(ctx context.Context, call *bus.Call, in toolIn) (t tool, err error) {
		row := audit.Tx(ctx).QueryRowContext(ctx, tools+`WHERE id = ?`, in.ToolID)
		switch err = row.Scan(&t.ID, &t.Name, &t.LentTo); {
		case errors.Is(err, sql.ErrNoRows):
			return t, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such tool.").WithHint("See the list.")
		case err != nil:
			return t, err
		case lent && t.LentTo != call.Person.ID || !lent && t.LentTo != "":
			to := cmp.Or(t.LentTo, "nobody")
			return t, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s is lent to %s.", t.Name, to)
		}
		call.Summarize("%s: %s", call.Capability.Title, t.Name)
		call.Changed("tool", call.Capability.Title+": "+t.Name, t.ID)
		_, err = audit.Tx(ctx).ExecContext(ctx, statement, t.ID, call.Person.ID)
		return tool{ID: t.ID, Name: t.Name}, err
	}
}
