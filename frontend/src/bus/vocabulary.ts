import type { Vocabulary } from '../ui/rows';

/**
 * How the shop's tables and columns are called in front of people. A table or
 * column that is not listed reads by its own name, so nothing is ever hidden
 * by being forgotten here.
 */
export const vocabulary: Vocabulary = {
  tables: {
    orders: 'Order',
    order_lines: 'Order line',
    order_notes: 'Note',
    payments: 'Payment record',
    fulfilments: 'Shipment',
    carts: 'Cart',
    cart_lines: 'Cart line',
    current_carts: 'Cart at this desk',
    variants: 'Stock and price',
    stock_movements: 'Stock movement',
    products: 'Product',
    customers: 'Customer',
    addresses: 'Address',
    payment_methods: 'Payment method',
    preferences: 'Preference',
  },
  columns: {
    sku: 'SKU',
    method_id: 'Payment method',
    phone_digits: '',
    tax_included: 'Tax included',
    at: 'When',
    line1: 'Street',
    line2: 'Street, second line',
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
