import { i18n } from '../language/language';
import type { Vocabulary } from '../ui/rows';

/**
 * How the shop's tables and columns are called in front of people. A table or
 * column that is not listed reads by its own name, so nothing is ever hidden
 * by being forgotten here.
 */
export const vocabulary: Vocabulary = {
  tables: {
    orders: i18n._('Order'),
    order_lines: i18n._('Order line'),
    order_notes: i18n._('Note'),
    payments: i18n._('Payment record'),
    fulfilments: i18n._('Shipment'),
    carts: i18n._('Cart'),
    cart_lines: i18n._('Cart line'),
    current_carts: i18n._('Cart at this desk'),
    variants: i18n._('Stock and price'),
    stock_movements: i18n._('Stock movement'),
    products: i18n._('Product'),
    customers: i18n._('Customer'),
    addresses: i18n._('Address'),
    payment_methods: i18n._('Payment method'),
    preferences: i18n._('Preference'),
  },
  columns: {
    sku: i18n._('SKU'),
    method_id: i18n._('Payment method'),
    phone_digits: '',
    revision: '',
    delta: i18n._('Pieces'),
    tax_included: i18n._('Tax included'),
    at: i18n._('When'),
    line1: i18n._('Street'),
    line2: i18n._('Street, second line'),
  },
  money: new Set(['price', 'subtotal', 'discount', 'shipping', 'tax', 'total', 'amount', 'balance', 'discount_amount']),
  references: {
    product_id: ['name'],
    variant_id: ['name', 'label'],
    method_id: ['label'],
    address_id: ['address_label', 'line1'],
  },
  words: {
    status: {
      pending: i18n._('Pending'),
      processed: i18n._('Processed'),
      delivered: i18n._('Delivered'),
      cancelled: i18n._('Cancelled'),
      open: i18n._('Open'),
      held: i18n._('Held'),
      submitted: i18n._('Submitted'),
      requested: i18n._('Requested'),
      received: i18n._('Received'),
    },
    kind: {
      payment: i18n._('Payment'),
      refund: i18n._('Refund'),
      return: i18n._('Return'),
      exchange: i18n._('Exchange'),
      card: i18n._('Card'),
      giftCard: i18n._('Gift card'),
      onAccount: i18n._('On account'),
    },
    reason: {
      opening: i18n._('Opening stock'),
      sale: i18n._('Sale'),
      cancellation: i18n._('Cancellation'),
      adjustment: i18n._('Adjustment'),
      import: i18n._('Import'),
      return: i18n._('Return'),
      exchange: i18n._('Exchange'),
    },
    cancel_reason: {
      'no longer needed': i18n._('No longer needed'),
      'ordered by mistake': i18n._('Ordered by mistake'),
      'out of stock': i18n._('Out of stock'),
      other: i18n._('Other'),
    },
    role: {
      clerk: i18n._('Clerk'),
      manager: i18n._('Manager'),
      owner: i18n._('Owner'),
      auditor: i18n._('Auditor'),
    },
  },
  flags: new Set(['tax_included', 'is_default', 'available', 'backorder', 'published', 'discount_unbounded']),
};
