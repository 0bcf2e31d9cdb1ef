package smtp_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// smtpServer is a mail server on this computer that does what a test wants.
type smtpServer struct {
	t         *testing.T
	port      int
	secure    *tls.Config       // for STARTTLS, or from the start
	fromStart bool              // TLS from the start
	user      string            // "": nobody signs in
	password  string            //
	say       map[string]string // answers instead of the usual ones, by command; "cut" breaks off, "wait" says nothing

	mu        sync.Mutex // guards the rest
	greylist  bool       // the first recipient is put off
	connected int
	letters   []string // what was taken
	to        []string
	arrived   chan string // a command that is waited on
}

// startSMTP starts the server; it ends with the test.
func startSMTP(t *testing.T, s *smtpServer) *smtpServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.t, s.port, s.arrived = t, l.Addr().(*net.TCPAddr).Port, make(chan string, 16)
	var open sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		open.Wait()
	})
	open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer conn.Close()
				s.serve(conn)
			})
		}
	})
	return s
}

func (s *smtpServer) serve(conn net.Conn) {
	s.mu.Lock()
	s.connected++
	s.mu.Unlock()
	if s.fromStart {
		conn = tls.Server(conn, s.secure)
	}
	in := bufio.NewReader(conn)
	fmt.Fprint(conn, "220 test ready\r\n")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSpace(line)
		verb, rest, _ := strings.Cut(line, " ")
		answer, more := s.answer(strings.ToUpper(verb), rest, in, conn)
		switch answer {
		case "cut":
			return
		case "wait":
			s.arrived <- verb
			_, _ = in.ReadString('\n') // until the other side is gone
			return
		case "upgrade":
			fmt.Fprint(conn, "220 go ahead\r\n")
			conn = tls.Server(conn, s.secure)
			in = bufio.NewReader(conn)
			continue
		}
		if _, err := fmt.Fprintf(conn, "%s\r\n", answer); err != nil || !more {
			return
		}
	}
}

// answer returns the server's answer to a command, and whether it goes on.
func (s *smtpServer) answer(verb, rest string, in *bufio.Reader, conn net.Conn) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if said, ok := s.say[verb]; ok {
		return said, true
	}
	switch verb {
	case "EHLO":
		lines := "250-test\r\n"
		if _, encrypted := conn.(*tls.Conn); s.secure != nil && !encrypted {
			lines += "250-STARTTLS\r\n"
		}
		if s.user != "" {
			lines += "250-AUTH PLAIN\r\n"
		}
		return lines + "250 8BITMIME", true
	case "STARTTLS":
		return "upgrade", true
	case "AUTH":
		want := base64.StdEncoding.EncodeToString([]byte("\x00" + s.user + "\x00" + s.password))
		if rest != "PLAIN "+want {
			return "535 5.7.8 no", true
		}
		return "235 hello", true
	case "RCPT":
		if s.greylist {
			s.greylist = false
			return "451 4.7.1 come back later", true
		}
		s.to = append(s.to, rest)
		return "250 ok", true
	case "DATA":
		fmt.Fprint(conn, "354 go on\r\n")
		var letter strings.Builder
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return "cut", false
			}
			if line == ".\r\n" {
				break
			}
			letter.WriteString(line)
		}
		s.letters = append(s.letters, letter.String())
		if said, ok := s.say["."]; ok {
			return said, true
		}
		return "250 taken", true
	case "QUIT":
		return "221 bye", false
	}
	return "250 ok", true
}

// taken returns the letters and the number of connections so far.
func (s *smtpServer) taken() (letters []string, connected int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.letters...), s.connected
}

// ownCertificate makes a certificate for this computer, and the pool that trusts it.
func ownCertificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().
		Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, pool
}
