package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// handlers are the functions behind five routes of the API.
type handlers struct {
	list   func(context.Context, day) (bookings, error)
	book   func(context.Context, bookIn) (booking, error)
	move   func(context.Context, moveIn) (booking, error)
	cancel func(context.Context, id) (booking, error)
	close  func(context.Context, room) (room, error)
}

// handlers are the functions as they were before the move.
func (s *store) handlers() *handlers { return &handlers{s.list, s.book, s.move, s.cancel, s.closeRoom} }

// routes are those of the API. The last two do not move.
func routes(s *store, h *handlers) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /bookings", handle(200, h.list, func(r *http.Request, in *day) { in.Day = r.FormValue("day") }))
	mux.Handle("POST /bookings", handle(201, h.book, nil))
	mux.Handle("PATCH /bookings/{id}", handle(200, h.move,
		func(r *http.Request, in *moveIn) { in.ID = r.PathValue("id") }))
	mux.Handle("DELETE /bookings/{id}", handle(200, h.cancel,
		func(r *http.Request, in *id) { in.ID = r.PathValue("id") }))
	mux.Handle("DELETE /rooms/{room}", handle(200, h.close,
		func(r *http.Request, in *room) { in.Room = r.PathValue("room") }))
	mux.Handle("POST /rooms", handle(201, s.addRoom, nil))
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	return mux
}

// handle calls f with the values of the body and of the address. It answers with the output or the error of f.
func handle[In, Out any](status int, f func(context.Context, In) (Out, error), address func(*http.Request,
	*In)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in In
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil && !errors.Is(err, io.EOF) {
			answerError(w, fmt.Errorf("%w: the body is no such JSON", errInvalid))
			return
		}
		if address != nil {
			address(r, &in)
		}
		out, err := f(r.Context(), in)
		if err != nil {
			answerError(w, err)
			return
		}
		answer(w, status, out)
	})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func answerError(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	for of, s := range map[error]int{errInvalid: 400, errForbidden: 403, errNotFound: 404, errTaken: 409} {
		if errors.Is(err, of) {
			status = s
		}
	}
	answer(w, status, map[string]string{"error": err.Error()})
}

// signedIn refuses a request without the token of a user.
func signedIn(users map[string]user, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u, ok := users[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
		if !ok {
			answer(w, http.StatusUnauthorized, map[string]string{"error": "sign in"})
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), userKey{}, u)))
	})
}
