package settings

import (
	"context"
	"fmt"
	"strconv"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/staff"
)

type settingsSecurity struct {
	LockAfterMinutes int64 `json:"lockAfterMinutes"`
}

func setSecurity(ctx context.Context, _ *bus.Call, _ Secrets, _ *core.Shop, v settingsValues) (string, error) {
	words := "Let the window stay open"
	if *v.LockAfterMinutes > 0 {
		words = fmt.Sprintf("Lock the window after %d min without a touch", *v.LockAfterMinutes)
	}
	return words, core.SetPreference(ctx, staff.WholeDesk, staff.LockPreference, strconv.FormatInt(*v.LockAfterMinutes,
		10))
}
