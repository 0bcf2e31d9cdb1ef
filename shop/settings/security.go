package settings

import (
	"context"
	"strconv"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/staff"
)

type settingsSecurity struct {
	LockAfterMinutes int64 `json:"lockAfterMinutes"`
}

func setSecurity(ctx context.Context, _ *bus.Call, _ Secrets, _ *core.Shop, v settingsValues) (bus.Text, error) {
	words := bus.Textf("Let the window stay open")
	if *v.LockAfterMinutes > 0 {
		words = bus.Textf("Lock the window after %d min without a touch", *v.LockAfterMinutes)
	}
	return words, core.SetPreference(ctx, staff.WholeDesk, staff.LockPreference, strconv.FormatInt(*v.LockAfterMinutes,
		10))
}
