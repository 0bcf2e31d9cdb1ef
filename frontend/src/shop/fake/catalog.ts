import type { Entity } from '../../bridge/manifest';
import { type FakeCapability, object } from './bus';
import type { FakeShop } from './shop';

/** The kinds of records of the fake shop, as the real one declares them. */
export const entities: readonly Entity[] = [
  { type: 'address', title: 'Address', display: '{label}', sources: ['cart.getSummary#/savedAddresses'] },
  {
    ...{ type: 'customer', title: 'Customer', get: 'customer.get', link: 'customers/{id}' },
    sources: ['customer.search#/customers'],
  },
  {
    ...{ type: 'order', title: 'Order', get: 'order.get', display: '{title}', link: 'orders/{id}' },
    sources: ['order.search#/orders'],
  },
  {
    ...{ type: 'paymentMethod', title: 'Payment method', display: '{label}' },
    sources: ['cart.getSummary#/savedPaymentMethods'],
  },
  { type: 'person', title: 'Person', sources: ['session.get#/people'] },
  { type: 'product', title: 'Product', link: 'catalog/{id}', sources: ['catalog.search#/products'] },
];

const id = (kind: string) => ({ type: 'string', 'x-entity': kind });

/** The capabilities of the fake shop, as the real one names them. */
export function shopCapabilities(shop: FakeShop): FakeCapability[] {
  const product = id('product');
  const customer = id('customer');
  const price = object({ amount: { type: 'integer' }, currency: { type: 'string' } }, 'amount', 'currency');
  return [
    {
      ...{ name: 'shop.setUp', title: 'Set up the shop', side_effect: 'ui-only' },
      input_schema: object({ from: { type: 'string', enum: ['sample', 'empty'] }, name: { type: 'string' } }, 'from'),
      unavailable: () => (shop.name ? 'There is a shop here already.' : undefined),
      run: (call) => shop.setUp(call),
    },
    {
      ...{ name: 'shop.suggest', title: 'Suggest the terms of a shop', side_effect: 'pure' },
      input_schema: object({ country: { type: 'string' }, timeZone: { type: 'string' }, locale: { type: 'string' } }),
      run: ({ args }) => shop.suggest(String(args.country ?? 'US')),
    },
    {
      ...{ name: 'catalog.search', title: 'Search products', side_effect: 'pure' },
      input_schema: object({ query: { type: 'string' }, limit: { type: 'integer' } }),
      run: (call) => shop.search(call),
    },
    {
      ...{ name: 'customer.search', title: 'Find customers', side_effect: 'pure' },
      input_schema: object({ query: { type: 'string' }, limit: { type: 'integer' } }),
      run: (call) => shop.searchCustomers(call),
    },
    {
      ...{ name: 'customer.get', title: 'Show a customer', side_effect: 'pure' },
      input_schema: object({ customerId: customer }, 'customerId'),
      run: (call) => shop.getCustomer(call),
    },
    {
      ...{ name: 'cart.getSummary', title: 'Show the cart', side_effect: 'pure' },
      input_schema: object({ customerId: customer }),
      run: () => shop.summary(),
    },
    {
      ...{ name: 'cart.setCustomer', title: 'Choose the customer', side_effect: 'ui-only' },
      input_schema: object({ customerId: customer }, 'customerId'),
      run: (call) => shop.setCustomer(call),
    },
    {
      ...{ name: 'cart.addItem', title: 'Add to the cart', side_effect: 'ui-only' },
      description: 'Puts a product into the cart of a customer, or the current one. It does not order anything.',
      input_schema: object(
        { productId: product, quantity: { type: 'integer', minimum: 1, default: 1 }, customerId: customer },
        'productId',
        'quantity',
      ),
      run: (call) => shop.add(call),
    },
    {
      ...{ name: 'cart.addOpenItem', title: 'Add an open item', side_effect: 'ui-only' },
      input_schema: object(
        { title: { type: 'string', minLength: 1 }, unitPrice: price, quantity: { type: 'integer', minimum: 1 } },
        'title',
        'unitPrice',
      ),
      run: () => ({}),
    },
    {
      ...{ name: 'cart.setLinePrice', title: 'Set the price of a line', side_effect: 'ui-only' },
      input_schema: object(
        { lineId: id('line'), variantId: id('variant'), price, reason: { type: 'string' } },
        'price',
      ),
      run: () => ({}),
    },
    {
      ...{ name: 'cart.hold', title: 'Hold the cart', side_effect: 'ui-only', shortcut: 'F6' },
      description: 'Puts the current cart aside under a label.',
      input_schema: object({ label: { type: 'string' } }),
      unavailable: () => (shop.lines.length === 0 ? 'The cart is empty.' : undefined),
      run: (call) => shop.hold(call),
    },
    {
      ...{ name: 'customer.create', title: 'Add a customer', side_effect: 'ui-only', shortcut: 'Shift+F3' },
      description: 'Adds a customer with a name and, if known, an address.',
      input_schema: object(
        {
          name: { type: 'string', minLength: 1 },
          email: { type: 'string' },
          address: object(
            { line1: { type: 'string', minLength: 1 }, city: { type: 'string', minLength: 1 } },
            'line1',
            'city',
          ),
        },
        'name',
      ),
      run: (call) => shop.createCustomer(call),
    },
    {
      ...{ name: 'cart.setQuantity', title: 'Change a quantity', side_effect: 'ui-only' },
      run: (call) => shop.setQuantity(call),
    },
    {
      ...{ name: 'cart.removeItem', title: 'Take out of the cart', side_effect: 'ui-only' },
      run: (call) => shop.remove(call),
    },
    {
      ...{ name: 'checkout.submit', title: 'Submit the order', side_effect: 'destructive', shortcut: 'F9' },
      description: 'Turns the cart into an order and records the payment. It cannot be taken back.',
      input_schema: object(
        {
          shippingAddressId: id('address'),
          paymentMethodId: id('paymentMethod'),
          giftMessage: { type: 'string' },
        },
        'shippingAddressId',
        'paymentMethodId',
      ),
      unavailable: () => shop.summary().problems[0],
      run: (call) => shop.submit(call),
    },
    {
      ...{ name: 'order.search', title: 'Search orders', side_effect: 'pure' },
      run: (call) => shop.searchOrders(call),
    },
    {
      ...{ name: 'order.get', title: 'Show an order', side_effect: 'pure' },
      input_schema: object({ orderId: id('order') }, 'orderId'),
      run: (call) => shop.order(call),
    },
    {
      ...{ name: 'order.cancel', title: 'Cancel an order', side_effect: 'destructive' },
      description: 'Cancels a pending order, records the refunds and puts the stock back.',
      input_schema: object(
        {
          orderId: id('order'),
          reason: { type: 'string', enum: ['no longer needed', 'ordered by mistake', 'out of stock', 'other'] },
          note: { type: 'string' },
        },
        'orderId',
        'reason',
      ),
      run: (call) => shop.cancel(call),
    },
  ];
}
