// Types of the capabilities, as `deskhand gen --ts` writes them from the manifest. Do not edit.

export interface Money {
  amount: number;
  currency: string;
  text?: string;
}

export interface CatalogVariant {
  id: string;
  sku?: string;
  barcode?: string;
  label: string;
  options: Record<string, string>;
  price: Money;
  stock?: number;
  available: boolean;
  default?: boolean;
}

export interface CatalogProduct {
  id: string;
  name: string;
  description?: string;
  tags?: string[];
  variants: CatalogVariant[];
  defaultVariantId?: string;
  matchedVariantId?: string;
}

export interface Address {
  id: string;
  label?: string;
  text: string;
  default?: boolean;
}

export interface PaymentMethod {
  id: string;
  label: string;
  kind?: string;
  default?: boolean;
}

export interface CustomerRef {
  id: string;
  name: string;
  email?: string;
  phone?: string;
}

export interface CartLine {
  productId: string;
  variantId: string;
  sku?: string;
  name: string;
  label?: string;
  options: Record<string, string>;
  quantity: number;
  price: Money;
  total: Money;
}

export interface CartSummary {
  cartId?: string;
  customer?: CustomerRef;
  items: CartLine[];
  itemCount: number;
  subtotal: Money;
  discount: Money;
  shipping: Money;
  tax: Money;
  total: Money;
  savedAddresses: Address[];
  savedPaymentMethods: PaymentMethod[];
  problems: string[];
}

export interface OrderRow {
  id: string;
  number: string;
  customer: CustomerRef;
  status: string;
  placedAt: number;
  itemCount: number;
  total: Money;
}

export interface OrderEvent {
  at: number;
  kind: string;
  text: string;
}

export interface Order {
  id: string;
  number: string;
  customer: CustomerRef;
  status: string;
  placedAt: number;
  estimatedDelivery?: string;
  lines: CartLine[];
  payments: { id?: string; kind: string; method: string; amount: Money; at: number }[];
  shippingAddress?: { label?: string; text: string };
  notes?: { at: number; by?: string; text: string }[];
  timeline: OrderEvent[];
  subtotal: Money;
  discount: Money;
  shipping: Money;
  tax: Money;
  total: Money;
  giftMessage?: string;
  actions?: { capability: string; available: boolean; reason?: string }[];
}

export interface Effect {
  table: string;
  key: Record<string, unknown>;
  op: 'insert' | 'update' | 'delete';
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

export interface AuditRecord {
  seq: number;
  time: number;
  kind: string;
  request_id: string;
  trace_id?: string;
  parent_request_id?: string;
  conversation_id?: string;
  caller: { type: string; source?: string; door?: string; person?: string; name?: string; role?: string; authentication?: string };
  model?: { endpoint?: string; name?: string; prompt_version?: string };
  capability: string;
  version?: string;
  arguments?: Record<string, unknown>;
  decision?: { rule?: string; by?: string; grant_id?: string; approval_id?: string; answer?: string; reason?: string; asked_ms?: number };
  status: string;
  code?: string;
  reason?: string;
  message?: string;
  recovery_hint?: string;
  summary?: string;
  data?: unknown;
  facts?: Record<string, unknown>;
  effects?: Effect[];
  triggering_message?: string;
  reasoning?: string;
  duration_ms: number;
  replayed?: boolean;
  dry_run?: boolean;
  redacted?: string[];
  prev: string;
  hash: string;
}

export interface Paged {
  nextCursor?: string;
  hasMore: boolean;
}

export interface Capabilities {
  'navigation.go': { request: { page: string; id?: string }; response: { page: string; id?: string } };
  'theme.toggle': { request: Record<string, never>; response: { theme: string } };
  'theme.set': { request: { theme: 'light' | 'dark' | 'system' | 'contrast' }; response: { theme: string } };
  'session.get': {
    request: Record<string, never>;
    response: { staff?: { id: string; name: string; role: string; scopes?: string[] }; locked: boolean; shop?: { name: string } };
  };
  'catalog.search': {
    request: { query?: string; tag?: string; inStock?: boolean; cursor?: string; limit?: number };
    response: { products: CatalogProduct[] } & Paged;
  };
  'customer.search': {
    request: { query?: string; cursor?: string; limit?: number };
    response: { customers: CustomerRef[] } & Paged;
  };
  'cart.getSummary': { request: { customerId?: string }; response: CartSummary };
  'cart.setCustomer': { request: { customerId: string }; response: object };
  'cart.addItem': {
    request: { productId: string; variantId?: string; quantity: number; customerId?: string };
    response: { cartTotal: Money; itemCount: number; line: CartLine };
  };
  'cart.setQuantity': { request: { productId?: string; variantId?: string; quantity: number }; response: object };
  'cart.removeItem': { request: { productId?: string; variantId?: string }; response: object };
  'cart.clear': { request: Record<string, never>; response: object };
  'checkout.submit': {
    request: { shippingAddressId: string; paymentMethodId: string; giftMessage?: string };
    response: { orderId: string; estimatedDelivery: string; total: Money };
  };
  'order.search': {
    request: { query?: string; customerId?: string; status?: string; from?: string; to?: string; cursor?: string; limit?: number };
    response: { orders: OrderRow[] } & Paged;
  };
  'order.get': { request: { orderId: string }; response: Order };
  'settings.get': {
    request: { section?: 'shop' | 'limits' | 'shipping' | 'tax' };
    response: { shop?: { name: string; currency: string; timeZone: string } };
  };
  'audit.search': {
    request: { query?: string; caller?: string; capability?: string; outcome?: string; cursor?: string; limit?: number };
    response: { records: AuditRecord[] } & Paged;
  };
  'audit.trace': { request: { requestId: string }; response: { records: AuditRecord[] } };
  'audit.verify': {
    request: Record<string, never>;
    response: { ok: boolean; records: number; head: string; firstBad?: string; problem?: string };
  };
  'order.cancel': {
    request: { orderId: string; reason: string; note?: string };
    response: { refunds?: { method: string; amount: Money }[] };
  };
}
