package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// api sends requests to a new program and compares its answers.
type api struct {
	t    *testing.T
	url  string
	said *[]string // all answers
}

func newAPI(t *testing.T) *api {
	s, err := open(filepath.Join(t.TempDir(), "rooms.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.db.Close() })
	return serve(t, signedIn(users, routes(s, s.handlers())))
}

func serve(t *testing.T, h http.Handler) *api {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return &api{t, server.URL, &[]string{}}
}

// send makes a request, such as "ana POST /bookings {…}", whose answer must contain want: "201" or a part of the body.
func (a *api) send(request string, want ...string) {
	a.t.Helper()
	parts := append(strings.SplitN(request, " ", 4), "")
	r, err := http.NewRequestWithContext(a.t.Context(), parts[1], a.url+parts[2], strings.NewReader(parts[3]))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer token-of-"+parts[0])
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	said := fmt.Sprintf("%d %s %s", response.StatusCode, response.Header.Get("Content-Type"), body)
	*a.said = append(*a.said, request+" → "+said)
	for _, part := range want {
		if err != nil || !strings.Contains(said, part) {
			a.t.Errorf("%s answers %s (%v), without %s", request, said, err, part)
		}
	}
}

func TestTheAPI(t *testing.T) { testTheAPI(newAPI(t)) }

func testTheAPI(a *api) {
	a.send("ana GET /health", "200", "ok")
	a.send("eve GET /bookings", "401", "sign in")
	a.send("ana GET /bookings?day=2027-03-01", `200 application/json {"bookings":[]}`)

	const plans = `POST /bookings {"room":"Attic","day":"2027-03-01","hour":9,"title":"Plans"}`
	a.send("ana "+plans, "201", `"id":"1","room":"Attic","day":"2027-03-01","hour":9,"title":"Plans","by":"Ana"`)
	a.send("kim "+plans, "409", "the room is taken then")
	a.send("kim "+strings.Replace(plans, ":9", ":10", 1), "201", `"by":"Kim"`)
	a.send("kim "+strings.Replace(plans, ":9", ":7", 1), "400", "this is not valid: hour is from 8 to 17")
	a.send("kim "+strings.Replace(plans, "Attic", "Garage", 1), "404")
	a.send(`kim POST /bookings {"hour":"nine"}`, "400", "the body is no such JSON")

	a.send(`kim PATCH /bookings/1 {"hour":11}`, "403", "you may not do this")
	a.send(`ana PATCH /bookings/1 {"hour":10}`, "409")
	a.send(`ana PATCH /bookings/9 {"hour":11}`, "404")
	a.send(`kim PATCH /bookings/2 {"hour":11}`, "200", `"hour":11`)
	a.send("kim DELETE /bookings/1", "403")
	a.send("kim DELETE /bookings/2", "200", `"hour":11`)
	a.send("kim DELETE /bookings/2", "404")

	a.send(`ana POST /rooms {"room":"Garage"}`, "201")
	a.send("kim DELETE /rooms/Attic", "403", "you may not do this")
	a.send("ana DELETE /rooms/Attic", "200", `{"room":"Attic"}`)
	a.send("ana DELETE /rooms/Attic", "404")
	a.send("ana GET /bookings?day=2027-03-01", `{"bookings":[]}`)
}
