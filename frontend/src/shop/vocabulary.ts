import type { Request, Response } from '../bridge/capabilities';
import type { Unit, Vocabulary } from '../kit/rows/rows';
import { i18n } from '../language/i18n';
import { own } from '../language/own';
import type { BadgeColor } from '../ui/page/Badge';
import { flagColumns, type numberColumns, type tables } from './rows.gen';

type Order = Response<'order.get'>;

/** A state an order can be in. */
export type OrderStatus = Order['status'];

/** The name of each state of an order. */
export const orderStatuses: Readonly<Record<OrderStatus, string>> = {
  pending: i18n._('Pending'),
  processed: i18n._('Packed'),
  delivered: i18n._('Delivered'),
  cancelled: i18n._('Cancelled'),
};

/** The states of an order, in the sequence they come. */
export const statusSequence: readonly OrderStatus[] = ['pending', 'processed', 'delivered', 'cancelled'];

/** The theme colour of each state of an order. */
export const statusColors: Readonly<Record<OrderStatus, BadgeColor>> = {
  pending: 'amber',
  processed: 'pine',
  delivered: 'gray',
  cancelled: 'gray',
};

/** How the buyer of an order gets the goods. */
export const fulfilments: Readonly<Record<Order['fulfilment'], string>> = {
  takeAway: i18n._('Taken along'),
  pickUp: i18n._('Picked up'),
  deliver: i18n._('Delivered'),
};

/** The delivery of one order, done or still to come. */
export function fulfilmentText({ fulfilment, status }: Pick<Order, 'fulfilment' | 'status'>): string {
  if (fulfilment === 'takeAway' || status === 'delivered') return fulfilments[fulfilment];
  if (status === 'cancelled') return i18n._('Not handed over');
  return fulfilment === 'pickUp' ? i18n._('To be picked up') : i18n._('To be delivered');
}

/** The kinds of recorded payments. */
export const paymentKinds: Readonly<Record<Order['payments'][number]['kind'], string>> = {
  payment: i18n._('Payment'),
  refund: i18n._('Refund'),
};

/** The kinds of requests after an order. */
export const requestKinds: Readonly<Record<Order['requests'][number]['kind'], string>> = {
  return: i18n._('Return'),
  exchange: i18n._('Exchange'),
};

/** The kinds of payment methods. */
export const methodKinds = {
  card: i18n._('Card'),
  giftCard: i18n._('Gift card'),
  onAccount: i18n._('On account'),
} as const;

/** Why stock moved. */
export const movementReasons: Readonly<Record<string, string>> = {
  opening: i18n._('Opening stock'),
  sale: i18n._('Sale'),
  cancellation: i18n._('Cancellation'),
  adjustment: i18n._('Adjustment'),
  import: i18n._('Import'),
  return: i18n._('Return'),
  exchange: i18n._('Exchange'),
  received: i18n._('Received'),
};

/** Why an order is cancelled. */
export const cancelReasons: Readonly<Record<Request<'order.cancel'>['reason'], string>> = {
  'no longer needed': i18n._('No longer needed'),
  'ordered by mistake': i18n._('Ordered by mistake'),
  'out of stock': i18n._('Out of stock'),
  other: i18n._('Other'),
};

/** Why something comes back. */
export type ReturnReason = NonNullable<Request<'order.return'>['reason']>;

/** The name of each reason. */
export const returnReasons: Readonly<Record<ReturnReason, string>> = {
  faulty: i18n._('Faulty'),
  'not as described': i18n._('Not as described'),
  'changed mind': i18n._('Changed their mind'),
  other: i18n._('Other'),
};

const roles: Readonly<Record<string, string>> = {
  clerk: i18n._('Clerk'),
  manager: i18n._('Manager'),
  owner: i18n._('Owner'),
  auditor: i18n._('Auditor'),
};

const needed: Readonly<Record<string, string>> = {
  manager: i18n._('a manager'),
  owner: i18n._('an owner'),
};

/** Whose right something takes, by a role. */
export function roleNeeded(role: string): string | undefined {
  return own(needed, role);
}

/** The name of a role. */
export function roleText(role: string): string {
  return own(roles, role) ?? role;
}

/** The unit of each column of numbers. A column that is new in the shop does not compile without it. */
const numbers: Record<(typeof numberColumns)[number], Unit> = {
  amount: 'money',
  balance: 'money',
  cash_before: 'money',
  cash_in: 'money',
  cash_out: 'money',
  cash_step: 'money',
  closing: 'count',
  compare_at: 'money',
  context: 'count',
  cost: 'money',
  count: 'count',
  counted: 'money',
  days: 'count',
  delta: 'count',
  discount: 'money',
  discount_amount: 'money',
  discount_limit: 'percent',
  discount_percent: 'percent',
  discount_tax: 'money',
  expected: 'money',
  first: 'count',
  follows: 'count',
  head_seq: 'count',
  last: 'count',
  lifetime_returns: 'money',
  lifetime_sales: 'money',
  line: 'count',
  moved: 'money',
  net: 'money',
  new_price: 'money',
  new_rate_ppm: 'rate',
  number: 'count',
  paid: 'money',
  port: 'count',
  position: 'count',
  price: 'money',
  price_was: 'money',
  quantity: 'count',
  rate_ppm: 'rate',
  receipts: 'count',
  received: 'count',
  refund_limit: 'money',
  refunded: 'money',
  reorder_level: 'count',
  returns: 'money',
  rounding: 'money',
  sales: 'money',
  series_year: 'count',
  shipping: 'money',
  shipping_tax: 'money',
  stock: 'count',
  subtotal: 'money',
  tax: 'money',
  tendered: 'money',
  total: 'money',
  weight_grams: 'count',
};

const units: Readonly<Record<string, Unit>> = {
  ...Object.fromEntries(flagColumns.map((column) => [column, 'flag' as const])),
  ...numbers,
};

/**
 * The titles of the shop's tables and columns, what weighs most first. A table or
 * column that is not listed reads by its own name, so nothing is ever hidden
 * by being forgotten here.
 */
const tableTitles: Record<(typeof tables)[number], string> = {
  payments: i18n._('Payment record'),
  payment_methods: i18n._('Payment method'),
  orders: i18n._('Order'),
  order_lines: i18n._('Order line'),
  order_requests: i18n._('Return or exchange'),
  order_request_lines: i18n._('Line that comes back'),
  fulfilments: i18n._('Shipment'),
  variants: i18n._('Stock and price'),
  stock_movements: i18n._('Stock movement'),
  products: i18n._('Product'),
  product_pictures: i18n._('Picture'),
  customers: i18n._('Customer'),
  customer_notes: i18n._('Note'),
  addresses: i18n._('Address'),
  preferences: i18n._('Preference'),
  carts: i18n._('Cart'),
  cart_lines: i18n._('Cart line'),
  order_notes: i18n._('Note'),
  order_changes: i18n._('Line in the history'),
  current_carts: i18n._('Cart at this desk'),
  receipts: i18n._('Receipt'),
  receipt_lines: i18n._('Line of a receipt'),
  receipt_payments: i18n._('Payment on a receipt'),
  receipt_rates: i18n._('Tax on a receipt'),
  order_shipping: i18n._('Tax on shipping'),
  price_changes: i18n._('Price in the history'),
  cash_moves: i18n._('Cash in or out'),
  closings: i18n._('Closing of a day'),
  closing_methods: i18n._('Takings in a closing'),
  closing_rates: i18n._('Tax in a closing'),
  closing_receipts: i18n._('Receipts in a closing'),
  fulfilment_lines: i18n._('Line of a shipment'),
  product_tags: i18n._('Tag'),
  merged_customers: i18n._('Merged customer'),
  shipping_methods: i18n._('Shipping method'),
  tax_classes: i18n._('Tax class'),
  staff: i18n._('Person'),
  staff_pins: i18n._('PIN'),
  shop: i18n._('Shop'),
  shop_logo: i18n._('Logo'),
  mail_server: i18n._('Mail server'),
  model_endpoint: i18n._('Model'),
  webhooks: i18n._('Webhook'),
};

export const vocabulary: Vocabulary = {
  tables: tableTitles,
  columns: {
    sku: i18n._('SKU'),
    method_id: i18n._('Payment method'),
    phone_digits: '',
    revision: '',
    jpeg: '',
    small: '',
    version: '',
    reorder_level: i18n._('Reorder level'),
    cost: i18n._('Cost of one'),
    compare_at: i18n._('Price before'),
    price_was: i18n._('Price before'),
    discount_unbounded: '',
    price_unbounded: '',
    items_changed_at: '',
    position: '',
    good_since: '',
    hash: '',
    head_hash: '',
    head_seq: '',
    line: '',
    line_id: '',
    series_year: '',
    weight_grams: i18n._('Weight in grams'),
    weight_unit: i18n._('Unit of weight'),
    delta: i18n._('Pieces'),
    tax_included: i18n._('Tax included'),
    at: i18n._('When'),
    address_label: i18n._('Address label'),
    estimated_delivery: i18n._('Estimated delivery'),
    placed_at: i18n._('Placed at'),
    placed_by: i18n._('Placed by'),
    shipping_method: i18n._('Shipping method'),
    last_used_at: '',
    cancel_reason: i18n._('Cancel reason'),
    cancelled_at: i18n._('Cancelled at'),
    cancelled_by: i18n._('Cancelled by'),
    held_at: i18n._('Held at'),
    created_at: i18n._('Created at'),
    requested_at: i18n._('Requested at'),
    received_at: i18n._('Received at'),
    delivered_at: i18n._('Delivered at'),
    processed_at: i18n._('Packed at'),
    discount_reason: i18n._('Discount reason'),
    shipping_address_id: i18n._('Shipping address'),
    abilities: i18n._('Abilities'),
    cash_step: i18n._('Smallest coin'),
    cashier: i18n._('Cashier'),
    cause: i18n._('Cause'),
    count: i18n._('Number'),
    default_variant_id: i18n._('Usual variant'),
    discount_amount: i18n._('Discount'),
    discount_limit: i18n._('Discount limit'),
    discount_percent: i18n._('Discount in percent'),
    discount_tax: i18n._('Tax in the discount'),
    erased_at: i18n._('Erased at'),
    first: i18n._('First'),
    follows: i18n._('Receipt before'),
    footer: i18n._('Footer'),
    gives_back: i18n._('Gives back'),
    handle: i18n._('Short name'),
    host: i18n._('Server'),
    image: i18n._('Picture'),
    in_doubt: i18n._('In doubt'),
    input_price: i18n._('Price for input'),
    output_price: i18n._('Price for output'),
    is_default: i18n._('Default'),
    method_label: i18n._('Payment method'),
    new_rate_ppm: i18n._('New tax rate'),
    rate_ppm: i18n._('Tax rate'),
    new_variant_id: i18n._('New variant'),
    option1: i18n._('First option'),
    option2: i18n._('Second option'),
    option3: i18n._('Third option'),
    person: i18n._('Person'),
    port: i18n._('Port'),
    price_currency: i18n._('Currency of the prices'),
    published: i18n._('On sale'),
    refers_to: i18n._('Refers to receipt'),
    refund_limit: i18n._('Refund limit'),
    request_id: i18n._('Return or exchange'),
    restocked: i18n._('Back in stock'),
    returned_by: i18n._('Taken back by'),
    sender_name: i18n._('Sender'),
    set_up_at: i18n._('Set up at'),
    sold: i18n._('Sold'),
    tracking_id: i18n._('Tracking number'),
    username: i18n._('User name'),
    line1: i18n._('Street'),
    line2: i18n._('Street, second line'),
  },
  units,
  references: {
    method_id: 'paymentMethod',
    shipping_address_id: 'address',
    person: 'person',
    placed_by: 'person',
    cancelled_by: 'person',
    returned_by: 'person',
    staff_id: 'person',
    'orders.id': 'order',
    'variants.id': 'variant',
    'products.id': 'product',
    'customers.id': 'customer',
    'addresses.id': 'address',
    'payment_methods.id': 'paymentMethod',
  },
  words: {
    status: {
      ...orderStatuses,
      open: i18n._('Open'),
      held: i18n._('Held'),
      submitted: i18n._('Submitted'),
      requested: i18n._('Requested'),
      received: i18n._('Received'),
    },
    kind: { ...paymentKinds, ...requestKinds, ...methodKinds },
    reason: { ...movementReasons, ...returnReasons },
    cancel_reason: cancelReasons,
    fulfilment: { takeAway: i18n._('Take along'), pickUp: i18n._('Pick up'), deliver: i18n._('Deliver') },
    role: roles,
  },
};
