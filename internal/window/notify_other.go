//go:build (desktop || dev) && !linux

package window

import (
	"context"
	"log/slog"
	"sync"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// notifier shows notifications through the system, if it allows them.
type notifier struct {
	wails context.Context
	ready func() error
}

func newNotifier(wctx context.Context, clicked func()) *notifier {
	return &notifier{wctx, sync.OnceValue(func() error {
		if err := runtime.InitializeNotifications(wctx); err != nil {
			return err
		}
		runtime.OnNotificationResponse(wctx, func(runtime.NotificationResult) { clicked() })
		_, err := runtime.RequestNotificationAuthorization(wctx) // refused: the system shows nothing
		return err
	})}
}

func (n *notifier) notify(id, what, more string) {
	err := n.ready()
	if err == nil {
		err = runtime.SendNotification(n.wails, runtime.NotificationOptions{ID: id, Title: what, Body: more})
	}
	if err != nil {
		slog.Info("The system shows no notifications.", "cause", err)
	}
}

func (n *notifier) withdraw(id string) { _ = runtime.RemoveNotification(n.wails, id) } // none may be shown
