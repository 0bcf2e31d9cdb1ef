// The cart and the checkout of the paper, in cents. `node build/checkout.js` plays its conversation.
import { pathToFileURL } from "node:url";
import { Bus, type Call, Refusal } from "./bus.js";
import type { Fields, Json } from "./schema.js";

const prices: { [product: string]: number } = { guji: 1895, mug: 993 };
const list = (call: Call, name: string) => (call.state.get(name) ?? []) as Fields[];
const total = (call: Call) => list(call, "cart").reduce((sum, i) => sum + Number(i.price) * Number(i.quantity), 0);
const object = (properties: { [name: string]: Json }, required = Object.keys(properties)): Fields =>
  ({ type: "object", properties, required, additionalProperties: false });
const text = { type: "string" };
const filled = { message: "The cart is empty.", recovery_hint: "Invoke cart.addItem, then retry.",
  holds: (call: Call) => list(call, "cart").length > 0 };

/** The store of the paper, with one address and one way to pay. */
export function store(clock = Date.now): Bus {
  const bus = new Bus("my-store", "2.4.1", clock, { "checkout.ready": filled });
  bus.state.set("addresses", [{ id: "addr_home", label: "Home" }]);
  bus.state.set("payments", [{ id: "pm_visa_4242", label: "Visa ending in 4242" }]);
  bus.register({ name: "cart.addItem", title: "Add to the cart", description: "Add a product to the shopping cart.",
    side_effect: "ui-only", permissions: ["user:authenticated"],
    input_schema: object({ productId: text, quantity: { type: "integer", exclusiveMinimum: 0 } }),
    output_schema: object({ cartTotal: { type: "number" }, itemCount: { type: "number" } }),
    handler: (call) => {
      const { productId, quantity } = call.args as { productId: string; quantity: number };
      if (!Object.hasOwn(prices, productId)) throw new Refusal("NOT_FOUND", "record", "There is no such product.");
      call.set("cart", [...list(call, "cart"), { name: productId, quantity, price: prices[productId] }]);
      call.events.push({ type: "stateChange", domain: "cart", ids: [productId] });
      return { cartTotal: total(call), itemCount: list(call, "cart").reduce((n, i) => n + Number(i.quantity), 0) };
    },
  }, { name: "cart.getSummary", title: "Look at the cart", description: "The cart, its total, addresses, ways to pay.",
    side_effect: "pure", permissions: ["user:authenticated"], input_schema: object({}),
    handler: (call) => ({ items: list(call, "cart"), subtotal: total(call), savedAddresses: list(call, "addresses"),
      savedPaymentMethods: list(call, "payments") }),
  }, { name: "checkout.submit", title: "Submit the order", description: "Submit the cart as an order, and charge it.",
    side_effect: "destructive", permissions: ["user:authenticated", "checkout.ready"], facts: ["amount"],
    input_schema: object({ shippingAddressId: text, paymentMethodId: text, giftMessage: text },
      ["shippingAddressId", "paymentMethodId"]),
    preconditions: [{ name: "payment.saved", message: "Cannot submit order: no such payment method on file.",
      recovery_hint: "Look at cart.getSummary, then retry.",
      holds: (call) => list(call, "payments").some((p) => p.id === call.args.paymentMethodId) }],
    handler: (call) => {
      call.facts.amount = total(call);
      call.summary = `Submit the order ($${(total(call) / 100).toFixed(2)}) to ${call.args.shippingAddressId}.`;
      call.set("orders", [...list(call, "orders"), { items: list(call, "cart"), to: call.args.shippingAddressId }]);
      call.set("cart", []);
      return { orderId: `order_${list(call, "orders").length}`, estimatedDelivery: "2026-02-12" };
    },
  });
  return bus;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const bus = store();
  const say = (type: string, capability: string, args: Fields, more: Fields = {}) => {
    const line = JSON.stringify({ capability, arguments: args, caller: { type }, ...more });
    console.log(JSON.stringify(bus.invoke(line, { id: "kim", scopes: ["*"] })));
  };
  const home = { shippingAddressId: "addr_home", paymentMethodId: "pm_visa_4242" };
  bus.state.set("cart", [{ name: "mug", quantity: 1, price: 993 }]);
  say("ui", "cart.addItem", { productId: "guji", quantity: 2 });
  say("agent", "cart.getSummary", {}); // "Submit my order to my home address."
  say("agent", "checkout.submit", home, { dry_run: true }); // the sentence for the question
  say("agent", "checkout.submit", home); // it may not by itself
  const key = { idempotency_key: "checkout_session_789" };
  say("ui", "checkout.submit", home, key); // the person confirms with the button
  say("ui", "checkout.submit", home, key); // a retry does not order twice
}
