package shop

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
)

type addItemIn struct {
	ProductID  string `json:"productId" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"The product's id; a SKU or barcode also serves." jsonschema_extras:"x-lookup=catalog.search#/products"`
	VariantID  string `json:"variantId,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Which variant; absent: the product's default." jsonschema_extras:"x-lookup=catalog.getProduct#/variants"`
	Quantity   int64  `json:"quantity" jsonschema:"minimum=1,maximum=9999"`
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Whose cart; absent: the current one." jsonschema_extras:"x-lookup=customer.search#/customers"`
}

type addItemOut struct {
	CartTotal Money    `json:"cartTotal"`
	ItemCount int64    `json:"itemCount"`
	Line      cartLine `json:"line"`
	Note      string   `json:"note,omitempty" jsonschema_description:"Tell it to the person: which variant was taken because none was named."`
}

func cartAddItem() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.addItem", Title: "Add to the cart", Category: "cart",
		Description: "Puts a quantity of a product into the current cart, or into a customer's cart, which then is the current one; what is there already is added to. " +
			"Use it when somebody wants to buy something; without a variant the default one is taken and said so. It does not submit the order and does not reserve stock.",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: agentMay, Resources: write, Reversible: true,
		Phrases: []string{
			"add {quantity} {productId} to {customerId}'s cart", "add {quantity} bags of the {productId} to {customerId}'s cart",
			"add {quantity} {productId} to the cart for {customerId}", "(add|grab|get|bring|include) {quantity} {productId}",
			"add {quantity} {productId} to the (cart|order)", "(put|throw) {quantity} {productId} in the cart",
			"put {quantity} {productId} in {customerId}'s cart", "put {quantity} {productId} on {customerId}'s order",
			"ring up {quantity} {productId} for {customerId}", "ring {quantity} {productId} up", "{customerId} (wants|needs) {quantity} {productId}",
			"{customerId} wants to buy {quantity} {productId}", "{customerId} would like {quantity} {productId}",
			"{customerId} will (take|have) {quantity} {productId}", "{customerId} is (taking|after) {quantity} {productId}",
			"(get|give|sell) {customerId} {quantity} {productId}", "i need {quantity} {productId} for {customerId}", "let me have {quantity} {productId}",
			"{quantity} {productId} for {customerId}", "{quantity} {productId} to {customerId}'s cart", "order {quantity} {productId} for {customerId}",
			"can (i|we) get {quantity} {productId}", "can we get {customerId} {quantity} {productId}", "can i have {quantity} {productId}",
			"could i (have|get) {quantity} {productId}", "(we|i) need {quantity} {productId}", "i will (have|take) {quantity} {productId}",
			"throw {quantity} {productId} into {customerId}'s cart", "put (her|me) down for {quantity} {productId}", "i want {quantity} {productId}",
			"i want {quantity} {productId} in the cart", "could we add {quantity} {productId} to the cart", "(could|can) we add {quantity} {productId}",
			"(i|she) would like {quantity} {productId}", "we will (need|take|have) {quantity} {productId}", "{customerId} could use {quantity} {productId}",
			"(put|add) in {quantity} {productId}", "{quantity} {productId} (please|too) for {customerId}", "she (wants|needs) {quantity} {productId}",
			"she will (have|take|need) {quantity} {productId}", "she is taking {quantity} {productId}", "{quantity} more {productId}",
			"{quantity} (more|extra) {productId} for {customerId}",
		},
	}, addItem)
}

func addItem(ctx context.Context, call *bus.Call, in addItemIn) (addItemOut, error) {
	var out addItemOut
	s, err := loadShop(ctx)
	if err != nil {
		return out, err
	}
	v, byDefault, err := s.chooseVariant(ctx, in.ProductID, in.VariantID)
	if err != nil {
		return out, err
	}
	c, err := s.cartToFill(ctx, call, in.CustomerID)
	if err != nil {
		return out, err
	}
	if why := v.short(c.quantityOf(v.ID) + in.Quantity); why != "" {
		return out, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s", why).WithHint("Look for another variant with catalog.getProduct.")
	}
	if err := putLine(ctx, c.id, v.ID, in.Quantity); err != nil {
		return out, err
	}
	c, _, err = s.after(ctx, c.id)
	if err != nil {
		return out, err
	}
	out.CartTotal, out.ItemCount = s.money(c.sums.total), c.count()
	for _, l := range c.lines {
		if l.VariantID == v.ID {
			out.Line = l
		}
	}
	if byDefault {
		out.Note = fmt.Sprintf("No variant was named, so the default one was taken: %s.", v.Label)
	}
	call.Summarize("Add %d × %s to %s", in.Quantity, v.fullName(), c.owner())
	call.Changed("cart", fmt.Sprintf("%d × %s is in %s.", out.Line.Quantity, v.fullName(), c.owner()), c.ids()...)
	return out, nil
}

// cartToFill is the cart a new item goes into: the customer's, which becomes the
// current one, else the current one, opened if need be.
func (s *deskShop) cartToFill(ctx context.Context, call *bus.Call, customerID string) (*cart, error) {
	current, err := s.currentCart(ctx, call.Person.Person)
	if err != nil {
		return nil, err
	}
	if customerID != "" {
		return s.switchTo(ctx, call, current, customerID)
	}
	if current != nil {
		return current, nil
	}
	id, err := newCart(ctx, call, "")
	if err != nil {
		return nil, err
	}
	if err := enter(ctx, call, id); err != nil {
		return nil, err
	}
	return s.cartByID(ctx, id)
}

func (c *cart) quantityOf(variantID string) int64 {
	for _, l := range c.lines {
		if l.VariantID == variantID {
			return l.Quantity
		}
	}
	return 0
}

// lineIn names a line of the current cart.
type lineIn struct {
	ProductID string `json:"productId,omitempty" jsonschema:"maxLength=100" jsonschema_description:"The product's id; a SKU or barcode also serves." jsonschema_extras:"x-lookup=catalog.search#/products"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Needed when the cart holds several variants of the product." jsonschema_extras:"x-lookup=cart.getSummary#/items"`
}

// lineOf finds the one line of the cart that in names.
func (c *cart) lineOf(ctx context.Context, in lineIn) (cartLine, error) {
	var found []cartLine
	switch {
	case in.VariantID != "":
		for _, l := range c.lines {
			if l.VariantID == in.VariantID && (in.ProductID == "" || in.ProductID == l.ProductID || in.ProductID == l.SKU) {
				found = append(found, l)
			}
		}
	case in.ProductID != "":
		ref, err := resolveProduct(ctx, in.ProductID)
		if err != nil {
			return cartLine{}, err
		}
		for _, l := range c.lines {
			if l.ProductID == ref.productID && (ref.variantID == "" || ref.variantID == l.VariantID) {
				found = append(found, l)
			}
		}
	default:
		return cartLine{}, invalid("/productId", "Say which item, by productId or variantId.")
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return cartLine{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "That is not in %s.", c.owner()).WithHint("cart.getSummary lists the items.")
	}
	e := bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%d variants of %s are in %s.", len(found), found[0].Name, c.owner())
	return cartLine{}, e.WithHint("Name one as variantId: %s or %s.", found[0].VariantID, found[1].VariantID)
}

type setQuantityIn struct {
	lineIn
	Quantity int64 `json:"quantity" jsonschema:"minimum=1,maximum=9999" jsonschema_description:"The new quantity, not the difference."`
}

func cartSetQuantity() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.setQuantity", Title: "Change a quantity", Category: "cart",
		Description: "Sets how many of an item are in the current cart. " +
			"Use it to correct a quantity; to add more use cart.addItem. It does not take an item out: use cart.removeItem.",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: agentMay, Resources: write, Reversible: true, Idempotent: true, Available: needsItems,
		Phrases: []string{
			"set {variantId} to {quantity}", "make it {quantity} {variantId}", "change the quantity of {variantId} to {quantity}", "make {variantId} {quantity}",
			"make the quantity of {variantId} {quantity}", "bump {variantId} up to {quantity}", "(bump|increase|raise|reduce|lower|up) {variantId} to {quantity}",
			"bring {variantId} down to {quantity}", "she (only|just) wants {quantity} {variantId}", "she wants {quantity} {variantId} (instead|now)",
			"(only|just) {quantity} {variantId}", "{quantity} {variantId} instead", "(it|there) should be {quantity} {variantId}",
			"we need {quantity} {variantId} instead", "put {variantId} at {quantity}", "she would rather have {quantity} {variantId}",
			"change {variantId} quantity to {quantity}", "she would prefer {quantity} {variantId}", "i meant {quantity} {variantId}",
			"she would like {quantity} {variantId} instead", "(we|she) (only|just) (need|needs|want|wants) {quantity} {variantId}",
			"{quantity} {variantId} (are|is) enough", "she only needs {quantity} {variantId}", "correct the {variantId} to {quantity}",
			"she wants just {quantity} {variantId}",
		},
	}, func(ctx context.Context, call *bus.Call, in setQuantityIn) (cartOut, error) {
		s, c, l, err := currentLine(ctx, call, in.lineIn)
		if err != nil {
			return cartOut{}, err
		}
		if why := l.variant.short(in.Quantity); why != "" && in.Quantity > l.Quantity {
			return cartOut{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s", why).WithHint("Take fewer, or another variant.")
		}
		call.Summarize("Set %s in %s from %d to %d", l.variant.fullName(), c.owner(), l.Quantity, in.Quantity)
		call.Changed("cart", fmt.Sprintf("%d × %s is in %s.", in.Quantity, l.variant.fullName(), c.owner()), c.ids()...)
		if err := exec(ctx, `UPDATE cart_lines SET quantity = ? WHERE cart_id = ? AND variant_id = ?`, in.Quantity, c.id, l.VariantID); err != nil {
			return cartOut{}, err
		}
		_, out, err := s.after(ctx, c.id)
		return out, err
	})
}

func cartRemoveItem() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.removeItem", Title: "Take out of the cart", Category: "cart",
		Description: "Takes an item out of the current cart, all of it; with the last one goes the discount. " +
			"Use it when somebody does not want it any more; to take out a part use cart.setQuantity. It does not touch orders already placed.",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: agentMay, Resources: write, Reversible: true, Available: needsItems,
		Phrases: []string{
			"remove {variantId} from the cart", "take {variantId} out of the cart", "(remove|lose|forget|skip|scratch|cut) {variantId}",
			"no {variantId} after all", "remove {variantId} from the order", "take {variantId} off the (cart|order)", "take {variantId} (off|out)",
			"take {variantId} back out", "get rid of {variantId}", "get rid of {variantId} in the cart", "leave {variantId} out",
			"she does not want {variantId} after all", "she does not (want|need) {variantId} any more", "she does not (want|need) {variantId}",
			"she changed her mind about {variantId}", "put {variantId} back", "leave out {variantId}", "take {variantId} back out of the cart",
			"take out {variantId} again", "we (will|do) not need {variantId}", "she will not take {variantId}", "she does not want {variantId} any longer",
			"she no longer wants {variantId}", "{variantId} can (go|come out|be removed)", "{variantId} is not needed (any more|after all)",
			"no more {variantId}", "she does not want {variantId} now", "(scrap|drop|cancel|without) the {variantId}", "the {variantId} (is|goes) out",
			"{variantId} out of the cart", "(kick|throw) {variantId} out of the cart",
		},
	}, func(ctx context.Context, call *bus.Call, in lineIn) (cartOut, error) {
		s, c, l, err := currentLine(ctx, call, in)
		if err != nil {
			return cartOut{}, err
		}
		call.Summarize("Take %d × %s out of %s", l.Quantity, l.variant.fullName(), c.owner())
		call.Changed("cart", l.variant.fullName()+" is no longer in "+c.owner()+".", c.ids()...)
		if err := exec(ctx, `DELETE FROM cart_lines WHERE cart_id = ? AND variant_id = ?`, c.id, l.VariantID); err != nil {
			return cartOut{}, err
		}
		if len(c.lines) == 1 { // the cart is empty now: a discount would wait unseen for the next item
			if err := clearDiscount(ctx, c.id); err != nil {
				return cartOut{}, err
			}
		}
		_, out, err := s.after(ctx, c.id)
		return out, err
	})
}

func currentLine(ctx context.Context, call *bus.Call, in lineIn) (*deskShop, *cart, cartLine, error) {
	s, err := loadShop(ctx)
	if err != nil {
		return nil, nil, cartLine{}, err
	}
	c, err := s.mustCart(ctx, call)
	if err != nil {
		return nil, nil, cartLine{}, err
	}
	l, err := c.lineOf(ctx, in)
	return s, c, l, err
}
