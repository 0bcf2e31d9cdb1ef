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
  flags: new Set(['tax_included', 'is_default', 'available', 'backorder', 'published', 'discount_unbounded']),
};
