import type { Response } from '../../bridge/capabilities';
import { type FakeCall, Refusal } from './bus';
import { customers, type KnownCustomer, products, usd } from './data';

type CartLine = Response<'cart.getSummary'>['items'][number];
type Order = Response<'order.get'>;
type OrderHead = Response<'order.search'>['orders'][number];

const days = 86_400_000;

/** The state of the fake shop, and what its capabilities do to it. */
export class FakeShop {
  /** The name of the shop; undefined while there is none. */
  name: string | undefined = 'Alder & Finch Coffee';
  customer: KnownCustomer | undefined;
  lines: CartLine[] = [];
  orders: Order[] = Array.from({ length: 400 }, (_, index) => pastOrder(index));

  setUp({ args, changed }: FakeCall) {
    if (args.from === 'empty') this.orders = [];
    this.name = String(args.name ?? 'Alder & Finch Coffee');
    changed('shop');
    return { name: this.name, products: products.length, customers: customers.length, orders: this.orders.length };
  }

  suggest(country: string): Response<'shop.suggest'> {
    if (country !== 'DE')
      return { country, currency: 'USD', timeZone: 'America/Denver', timeZones: [], pricesIncludeTax: false };
    const rate = { ratePpm: 190_000, ratesOf: '2026-01-01', pricesIncludeTax: true };
    return { country, currency: 'EUR', timeZone: 'Europe/Berlin', timeZones: ['Europe/Berlin'], ...rate };
  }

  search({ args }: FakeCall) {
    const query = String(args.query ?? '').toLowerCase();
    const found = products.flatMap((product) => {
      const exact = product.variants.find((variant) => variant.sku?.toLowerCase() === query);
      if (exact) return [{ ...product, matchedVariantId: exact.id }];
      return product.name.toLowerCase().includes(query) ? [product] : [];
    });
    return { products: found, hasMore: false };
  }

  searchCustomers({ args }: FakeCall) {
    const query = String(args.query ?? '').toLowerCase();
    return { customers: customers.filter(({ name }) => name.toLowerCase().includes(query)), hasMore: false };
  }

  summary() {
    const subtotal = this.lines.reduce((sum, line) => sum + line.total.amount, 0);
    const shipping = subtotal > 0 ? 500 : 0;
    const tax = Math.round(subtotal * 0.08);
    const problems = this.lines.length === 0 ? ['The cart is empty.'] : [];
    if (!this.customer) problems.push('Nobody is chosen as the customer yet.');
    return {
      cartId: `crt_${this.customer?.id ?? 'nobody'}`,
      customer: this.customer,
      items: this.lines,
      itemCount: this.lines.reduce((sum, line) => sum + line.quantity, 0),
      subtotal: usd(subtotal),
      discount: usd(0),
      fulfilment: 'deliver' as const,
      shipping: usd(shipping),
      shippingMethods: [],
      tax: usd(tax),
      taxIncluded: false,
      total: usd(subtotal + shipping + tax),
      savedAddresses: this.customer?.addresses ?? [],
      savedPaymentMethods: this.customer?.methods ?? [],
      problems,
    };
  }

  setCustomer({ args, changed }: FakeCall) {
    this.customer = customers.find(({ id }) => id === args.customerId);
    changed('cart');
    return {};
  }

  getCustomer({ args }: FakeCall) {
    const found = customers.find(({ id }) => id === args.customerId);
    if (!found) throw new Refusal('NOT_FOUND', 'There is no such customer.');
    return { ...found, paymentMethods: found.methods, notes: [] };
  }

  createCustomer({ args, changed }: FakeCall) {
    const id = `cus_new_${customers.length}`;
    customers.push({ id, name: String(args.name), addresses: [], methods: [] });
    changed('customer', id);
    return { customerId: id };
  }

  hold({ args, changed }: FakeCall) {
    this.lines = [];
    changed('cart');
    return { heldId: 'held_1', label: String(args.label ?? this.customer?.name ?? 'Walk-in') };
  }

  add({ args, changed }: FakeCall) {
    const product = products.find(({ id }) => id === args.productId);
    const variant = product?.variants.find(({ id }) => id === (args.variantId ?? product.defaultVariantId));
    if (!product || !variant) throw new Refusal('NOT_FOUND', 'There is no such product.');
    if (args.customerId) this.customer = customers.find(({ id }) => id === args.customerId);
    const quantity = Number(args.quantity);
    const before = this.lines.find((line) => line.variantId === variant.id)?.quantity ?? 0;
    const line: CartLine = {
      ...{
        id: `line_${variant.id}`,
        lineId: variant.id,
        productId: product.id,
        variantId: variant.id,
        sku: variant.sku,
        name: product.name,
        label: variant.label,
      },
      ...{ options: variant.options, quantity: before + quantity, price: variant.price },
      total: usd(variant.price.amount * (before + quantity)),
    };
    this.lines = [...this.lines.filter(({ variantId }) => variantId !== variant.id), line];
    changed('cart');
    return { cartTotal: this.summary().total, itemCount: this.summary().itemCount, line };
  }

  setQuantity({ args, changed }: FakeCall) {
    const quantity = Number(args.quantity);
    if (quantity > 9999) {
      const message = `maximum: got ${quantity.toLocaleString('en')}, want 9,999`;
      throw new Refusal('VALIDATION', 'The arguments do not fit.', undefined, [{ path: '/quantity', message }]);
    }
    this.lines = this.lines.map((line) =>
      line.variantId === args.variantId ? { ...line, quantity, total: usd(line.price.amount * quantity) } : line,
    );
    changed('cart');
    return {};
  }

  remove({ args, changed }: FakeCall) {
    this.lines = this.lines.filter(({ variantId }) => variantId !== args.variantId);
    changed('cart');
    return {};
  }

  submit({ args, changed }: FakeCall) {
    const cart = this.summary();
    const shippingAddress = this.customer?.addresses.find(({ id }) => id === args.shippingAddressId);
    const method = this.customer?.methods.find(({ id }) => id === args.paymentMethodId);
    if (cart.problems[0]) throw new Refusal('PRECONDITION_FAILED', cart.problems[0]);
    if (!this.customer || !shippingAddress || !method) throw new Refusal('PRECONDITION_FAILED', 'That is not saved.');
    const id = `#W${2_000_000 + this.orders.length}`;
    const order: Order = {
      ...pastOrder(0),
      ...{ id, customer: this.customer, status: 'pending', placedAt: Date.now(), itemCount: cart.itemCount },
      ...{ items: this.lines.map((line) => `${line.quantity} × ${line.name}`).join(', '), shippingAddress },
      giftMessage: args.giftMessage === undefined ? undefined : String(args.giftMessage),
      lines: this.lines.map((line) => ({ ...line, id: line.variantId, discount: usd(0), tax: usd(0) })),
      ...{ subtotal: cart.subtotal, shipping: cart.shipping, tax: cart.tax, total: cart.total },
      payments: [
        {
          id: `pay_${id}`,
          kind: 'payment',
          paymentMethodId: method.id,
          label: method.label,
          amount: cart.total,
          at: Date.now(),
        },
      ],
      timeline: [{ at: Date.now(), text: 'Placed' }],
    };
    this.orders.unshift(order);
    this.lines = [];
    changed('order', id);
    changed('cart');
    return { orderId: id, fulfilment: order.fulfilment, estimatedDelivery: order.estimatedDelivery, total: cart.total };
  }

  searchOrders({ args }: FakeCall) {
    const query = String(args.query ?? '').toLowerCase();
    const from = Number(args.cursor ?? 0);
    const to = from + Number(args.limit ?? 50);
    const found = this.orders.filter(
      ({ status, id, customer, items }) =>
        (!args.status || status === args.status) && `${id} ${customer?.name} ${items}`.toLowerCase().includes(query),
    );
    const orders: OrderHead[] = found.slice(from, to);
    return { orders, hasMore: to < found.length, nextCursor: String(to) };
  }

  order({ args }: FakeCall): Order {
    const order = this.orders.find(({ id }) => id === args.orderId);
    if (!order) throw new Refusal('NOT_FOUND', `There is no order ${args.orderId}.`, 'Look it up with order.search.');
    const available = order.status === 'pending';
    const reason = available
      ? undefined
      : `Order ${order.id} is ${order.status}; only a pending order can be cancelled.`;
    return { ...order, actions: [{ capability: 'order.cancel', available, reason }] };
  }

  cancel(call: FakeCall) {
    const order = this.order(call);
    if (order.actions[0]?.reason) throw new Refusal('PRECONDITION_FAILED', order.actions[0].reason);
    const refunds = order.payments.map((payment) => ({ ...payment, kind: 'refund' as const, at: payment.at + 1 }));
    const cancelled: Order = { ...order, status: 'cancelled', payments: [...order.payments, ...refunds] };
    this.orders = this.orders.map((other) => (other.id === order.id ? cancelled : other));
    call.changed('order', order.id);
    return { orderId: order.id, status: 'cancelled', refunds: [] };
  }
}

function pastOrder(index: number): Order {
  const customer = customers[index % customers.length] ?? customers[0];
  if (!customer?.addresses[0]) throw new Error('the fake shop has customers with addresses');
  const placedAt = Date.now() - (index + 1) * 0.9 * days;
  const total = usd(1850 + ((index * 733) % 9000));
  return {
    ...{ id: `#W${2_000_000 - index}`, title: '', customer, placedAt, total, itemCount: 1 + (index % 4) },
    status: (['pending', 'processed', 'delivered', 'cancelled'] as const)[index % 4] ?? 'pending',
    ...{ date: '2026-11-01', items: `${1 + (index % 4)} × ${products[index % products.length]?.name}` },
    lines: [],
    ...{
      subtotal: total,
      discount: usd(0),
      shipping: usd(0),
      shippingTax: usd(0),
      taxes: [],
      tax: usd(0),
      taxIncluded: false,
      shippingAddress: customer.addresses[0],
    },
    estimatedDelivery: new Date(placedAt + 3 * days).toISOString().slice(0, 10),
    payments: [{ id: 'pay_1', kind: 'payment', paymentMethodId: 'cash', label: 'Cash', amount: total, at: placedAt }],
    ...{ fulfilment: 'deliver', fulfilments: [], requests: [], notes: [] },
    timeline: [{ at: placedAt, text: 'Placed' }],
    ...{ actions: [], savedAddresses: [], savedPaymentMethods: [], alternatives: [] },
  };
}
