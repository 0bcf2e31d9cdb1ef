// Receiver checks and prints the webhooks of a shop: go run ./docs/examples/receiver 127.0.0.1:8080, with the secret in
// SECRET.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// genuine reports whether a body was signed with the secret in the last minutes.
func genuine(header string, body []byte, secret string, now time.Time) bool {
	stamp, mac, _ := strings.Cut(header, ",")
	digits := strings.TrimPrefix(stamp, "t=")
	sent, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || now.Sub(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	claimed, err := hex.DecodeString(strings.TrimPrefix(mac, "v1="))
	if err != nil {
		return false
	}
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "%s.%s", digits, body)
	return hmac.Equal(claimed, h.Sum(nil))
}

func main() {
	secret := os.Getenv("SECRET")
	http.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !genuine(r.Header.Get("Deskhand-Signature"), body, secret, time.Now()) {
			http.Error(w, "not ours", http.StatusUnauthorized)
			return
		}
		var news struct {
			Event string
			Order struct{ ID string }
		}
		if err := json.Unmarshal(body, &news); err != nil {
			http.Error(w, "not understood", http.StatusBadRequest)
			return
		}
		fmt.Println(news.Event, news.Order.ID)
	})
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", l.Addr())
	log.Fatal(http.Serve(l, nil))
}
