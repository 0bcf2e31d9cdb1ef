package window

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

// The notification service of a desktop, as freedesktop.org specifies it.
const (
	notificationService = "org.freedesktop.Notifications"
	notificationPath    = "/org/freedesktop/Notifications"
	notifyTime          = 5 * time.Second // limit for a call
)

// notifier shows notifications through the desktop's service. Without one it shows nothing.
type notifier struct {
	ctx     context.Context
	clicked func()

	mu    sync.Mutex
	conn  *dbus.Conn        // nil until the first notification
	shown map[string]uint32 // the service's numbers by our ids
}

func newNotifier(ctx context.Context, clicked func()) *notifier {
	return &notifier{ctx: ctx, clicked: clicked, shown: map[string]uint32{}}
}

// connected returns the connection to the bus of the session, and opens one if there is none. It starts no bus.
func (n *notifier) connected() (*dbus.Conn, error) {
	if n.conn != nil && n.conn.Connected() {
		return n.conn, nil
	}
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(n.ctx))
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{func() error { return conn.Auth(nil) }, conn.Hello, func() error {
		return conn.AddMatchSignal(dbus.WithMatchInterface(notificationService), dbus.WithMatchMember("ActionInvoked"))
	}} {
		if err := step(); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	signals := make(chan *dbus.Signal, 10)
	conn.Signal(signals)
	go n.listen(signals)
	n.conn = conn
	return conn, nil
}

// listen calls clicked for each clicked notification of this program, until the connection ends.
func (n *notifier) listen(signals <-chan *dbus.Signal) {
	for signal := range signals {
		var number uint32
		var action string
		if dbus.Store(signal.Body, &number, &action) != nil || action != "default" {
			continue
		}
		n.mu.Lock()
		ours := false
		for _, one := range n.shown {
			ours = ours || one == number
		}
		n.mu.Unlock()
		if ours {
			n.clicked()
		}
	}
}

func (n *notifier) notify(id, what, more string) {
	var number uint32
	if err := n.call("Notify", &number, title, uint32(0), "", what, more, []string{"default", title},
		map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("deskhand")}, int32(-1)); err != nil {
		slog.Info("The desktop shows no notifications.", "cause", err)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.shown[id] = number
}

func (n *notifier) withdraw(id string) {
	n.mu.Lock()
	number, shown := n.shown[id]
	delete(n.shown, id)
	n.mu.Unlock()
	if shown {
		_ = n.call("CloseNotification", nil, number) // the person may have closed it
	}
}

// call calls a method of the service, and stores its answer.
func (n *notifier) call(method string, answer *uint32, args ...any) error {
	n.mu.Lock()
	conn, err := n.connected()
	n.mu.Unlock()
	if err != nil {
		return err
	}
	ctx, done := context.WithTimeout(n.ctx, notifyTime)
	defer done()
	called := conn.Object(notificationService, notificationPath).CallWithContext(ctx, notificationService+"."+method, 0,
		args...)
	if answer == nil {
		return called.Err
	}
	return called.Store(answer)
}
