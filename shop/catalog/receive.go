package catalog

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type receivedLine struct {
	VariantID string        `json:"variantId" jsonschema:"minLength=1,maxLength=100" x:"entity=variant"`
	Quantity  int64         `json:"quantity" jsonschema:"minimum=1,maximum=1000000" doc:"Pieces that arrived."`
	Cost      *core.PriceIn `json:"cost,omitempty" doc:"What one piece cost."`
}

type receiveStockIn struct {
	Lines     []receivedLine `json:"lines" jsonschema:"minItems=1,maxItems=200"`
	Reference string         `json:"reference,omitempty" jsonschema:"maxLength=120"`
}

type receivedStock struct {
	VariantID string `json:"variantId"`
	Stock     int64  `json:"stock" doc:"After this line."`
}

type receiveStockOut struct {
	Pieces int64           `json:"pieces" doc:"Of all lines."`
	Lines  []receivedStock `json:"lines"`
}

func receiveStock(ctx context.Context, s *core.Shop, call *bus.Call, in receiveStockIn) (out receiveStockOut,
	err error) {
	reference := text.Line(in.Reference, core.NameLimit)
	var name string
	var ids []string
	for i, line := range in.Lines {
		v, err := line.receive(ctx, s, call, reference, fmt.Sprintf("/lines/%d", i))
		if err != nil {
			return out, err
		}
		name, ids = v.FullName(), append(ids, v.ProductID, v.ID)
		out.Pieces += line.Quantity
		out.Lines = append(out.Lines, receivedStock{v.ID, *v.Stock + line.Quantity})
	}
	switch n := len(in.Lines); {
	case n == 1 && reference == "":
		call.Summarize("Receive %d of %s", out.Pieces, name)
	case n == 1:
		call.Summarize("Receive %d of %s: %s", out.Pieces, name, reference)
	case reference == "":
		call.Summarize("Receive %d pieces on %d lines", out.Pieces, n)
	default:
		call.Summarize("Receive %d pieces on %d lines: %s", out.Pieces, n, reference)
	}
	call.Announce("catalog", bus.Textf("%d pieces were received.", out.Pieces), ids...)
	return out, nil
}

// receive adds one line to the stock and returns the variant as it was before.
func (line *receivedLine) receive(ctx context.Context, s *core.Shop, call *bus.Call, reference, path string) (
	v *Variant, err error) {
	if v, err = variantMeant(ctx, s, line.VariantID, path[1:]+"/variantId"); err != nil {
		return v, err
	}
	if v.Stock == nil {
		return v, notCounted(v)
	}
	var cost *int64
	if line.Cost != nil {
		if err := s.CheckCurrency(*line.Cost, path+"/cost"); err != nil {
			return v, err
		}
		cost = &line.Cost.Amount
	}
	if err := core.Exec(ctx, `UPDATE variants SET stock = stock + ?, cost = COALESCE(?, cost) WHERE id = ?`,
		line.Quantity, cost, v.ID); err != nil {
		return v, err
	}
	return v, core.Insert(ctx, `stock_movements (id, variant_id, delta, reason, note, cost, person, at)`,
		call.NewID("mov"), v.ID, line.Quantity, "received", reference, cost, call.Person.ID, call.Now.UnixMilli())
}
