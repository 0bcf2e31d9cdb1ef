// Loans lends the tools of a house to people who each have a page of their own. It prints a link for each of them. All
// that it keeps lies in the PostgreSQL of DATABASE_URL, or of the variables PGHOST, PGDATABASE and so on.
package main

import (
	"context"
	"crypto/rand"
	"embed"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/agent/policy"
	audit "github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
	pgjournal "github.com/deskhand/deskhand/docs/examples/postgres"
)

var (
	//go:embed page
	files embed.FS
	//go:embed loans.sql
	tables string
	rights = []string{"tool:use", "audit:read", "conversation:read"}
	people = []bus.Principal{{ID: "ana", Name: "Ana", Scopes: rights, Door: "web"},
		{ID: "kim", Name: "Kim", Scopes: rights, Door: "web"}}
)

func main() {
	const host = "127.0.0.1:8470"
	ctx := context.Background()
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	journal, err := pgjournal.Open(ctx, config, time.Now, tables)
	if err == nil {
		err = http.ListenAndServe(host, newServer(ctx, journal, host, os.Stdout))
	}
	log.Fatal(err)
}

// newServer serves the people at one host, and prints their links.
func newServer(ctx context.Context, journal *pgjournal.Journal, host string, links io.Writer) http.Handler {
	doors, tokens := map[string]*door{}, map[string]*door{} // by person, by token
	rules := policy.New(policy.Options{Log: journal,
		OnCard: func(e policy.CardEvent) { doors[e.Card.Person].Emit("approval", e) }})
	b := bus.New(bus.Options{Journal: journal, Approver: rules, Name: "Loans", Version: "1.0.0"})
	store := agent.NewStore(journal)
	b.MustRegister(slices.Concat(capabilities(), audit.New(journal, audit.Options{}),
		agent.Capabilities(agent.CapabilityOptions{Store: store}))...)
	bridge := agent.New(agent.Options{Bus: b, Policy: rules, Store: store,
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
			d.events.ServeHTTP(w, r)
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
	events page.Stream
	post   map[string]func(string) string // by path
}

func newDoor(ctx context.Context, who bus.Principal, desk page.Desk) *door {
	d := &door{}
	d.post = map[string]func(string) string{"/invoke": d.Invoke, "/cards": d.Manifest, "/say": d.Send, "/decide": d.Decide}
	desk.Who = func(context.Context) bus.Principal { return who }
	desk.Answer = func(ctx context.Context, invocation []byte, _ func(*bus.Invocation)) bus.Result {
		return desk.Bus.InvokeJSON(ctx, invocation, func(i *bus.Invocation) {
			i.Principal, i.Caller = who, bus.Caller{Type: bus.CallerUI, Source: who.ID} // each has keys of their own
		})
	}
	d.Context, d.Emit, d.Reach = ctx, page.Numbered(d.events.Send), func() (*page.Desk, error) { return &desk, nil }
	heard := desk.Bus.SubscribeAs(bus.View{Caller: bus.CallerUI, Principal: who})
	go func() {
		for e, err := heard.Next(ctx); err == nil; e, err = heard.Next(ctx) {
			d.Emit("bus", e)
		}
	}()
	return d
}
