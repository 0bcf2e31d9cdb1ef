package page_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/page"
)

func TestAStreamSendsToThePagesThatAreOpen(t *testing.T) {
	var stream page.Stream
	left := make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream.ServeHTTP(w, r)
		left <- struct{}{}
	}))
	t.Cleanup(server.Close)
	emit := page.Numbered(stream.Send)
	emit("chat", "nobody hears it")
	open := func() (heard *bufio.Scanner, leave func()) {
		ctx, leave := context.WithCancel(t.Context())
		request, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { leave(); response.Body.Close() })
		if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
			t.Errorf("it is %q", kind)
		}
		return bufio.NewScanner(response.Body), leave
	}
	expect := func(heard *bufio.Scanner, lines ...string) {
		t.Helper()
		for _, want := range lines {
			if !heard.Scan() || heard.Text() != want {
				t.Errorf("heard %q (%v), not %q", heard.Text(), heard.Err(), want)
			}
		}
	}
	one, leave := open()
	other, _ := open()
	emit("bus", map[string]string{"text": "two\nlines"})
	for _, heard := range []*bufio.Scanner{one, other} {
		expect(heard, "event: bus", `data: {"text":"two\nlines"}`, "id: 2", "")
	}
	leave()
	<-left
	emit("bus", 1)
	expect(other, "event: bus", "data: 1", "id: 3", "")
}

// blocked is a page whose connection accepts no data until free is closed.
type blocked struct {
	http.ResponseWriter
	writes chan struct{} // gets one when a write has begun
	free   chan struct{}
}

func (b blocked) Write(p []byte) (int, error) {
	b.writes <- struct{}{}
	<-b.free
	return len(p), nil
}

func (blocked) Flush() {}

// TestAPageThatTakesNothingKeepsNobodyWaiting: a blocked page does not delay the events of other pages. Its connection
// ends when too many events wait for it.
func TestAPageThatTakesNothingKeepsNobodyWaiting(t *testing.T) {
	var stream page.Stream
	slow := blocked{httptest.NewRecorder(), make(chan struct{}, 1), make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		stream.ServeHTTP(slow, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	}()
	for began := false; !began; { // it is connected
		stream.Send("bus", "1", 1)
		select {
		case <-slow.writes:
			began = true
		case <-time.After(time.Millisecond):
		}
	}
	for n := range int64(3000) { // more than may wait
		stream.Send("bus", "2", 2+n)
	}
	go func() {
		for range slow.writes {
		}
	}()
	close(slow.free)
	<-ended // though its request goes on
}
