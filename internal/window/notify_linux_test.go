package window

import (
	"bufio"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// desktopService stands in for the notification service of a desktop.
type desktopService struct {
	conn   *dbus.Conn
	last   uint32
	shown  chan []string
	closed chan uint32
}

// Notify shows a notification, by the protocol of the service.
func (s *desktopService) Notify(program string, _ uint32, _, what, more string, actions []string,
	_ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	s.shown <- append([]string{program, what, more}, actions...)
	s.last++
	return s.last, nil
}

// CloseNotification takes it back.
func (s *desktopService) CloseNotification(number uint32) *dbus.Error {
	s.closed <- number
	return nil
}

func (s *desktopService) click(t *testing.T, number uint32, action string) {
	t.Helper()
	if err := s.conn.Emit(notificationPath, notificationService+".ActionInvoked", number, action); err != nil {
		t.Fatal(err)
	}
}

// withDesktop starts a bus with a notification service on it.
func withDesktop(t *testing.T) *desktopService {
	t.Helper()
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=1")
	out, err := daemon.StdoutPipe()
	if err == nil {
		err = daemon.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
	conn, err := dbus.Connect(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	s := &desktopService{conn: conn, shown: make(chan []string, 10), closed: make(chan uint32, 10)}
	if err := conn.Export(s, notificationPath, notificationService); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(notificationService, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return s
}

// within receives what is sent within half a minute.
func within[T any](t *testing.T, c <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-c:
	case <-time.After(30 * time.Second):
		t.Fatal("nothing came")
	}
	return got
}

func TestTheDesktopShowsANotificationAndAClickIsHeard(t *testing.T) {
	desktop := withDesktop(t)
	clicks := make(chan struct{}, 10)
	n := newNotifier(t.Context(), func() { clicks <- struct{}{} })
	n.notify("a", "Waiting for your answer", "Cancel an order")
	want := []string{"Deskhand", "Waiting for your answer", "Cancel an order", "default", "Deskhand"}
	if got := within(t, desktop.shown); !slices.Equal(got, want) {
		t.Errorf("shown: %q", got)
	}
	desktop.click(t, 9, "default") // another program's
	desktop.click(t, 1, "settings")
	desktop.click(t, 1, "default")
	within(t, clicks)
	n.withdraw("a")
	if got := within(t, desktop.closed); got != 1 {
		t.Errorf("closed %d", got)
	}
	n.withdraw("a")
	desktop.click(t, 1, "default") // ours no longer
	n.notify("b", "Waiting for your answer", "")
	within(t, desktop.shown)
	desktop.click(t, 2, "default")
	within(t, clicks)
	if len(clicks) > 0 || len(desktop.closed) > 0 {
		t.Error("what is not ours was heard or closed")
	}
}

func TestWithoutADesktopNothingIsShown(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+t.TempDir()+"/none")
	n := newNotifier(t.Context(), func() { t.Error("clicked") })
	n.notify("a", "Waiting for your answer", "")
	n.withdraw("a")
}
