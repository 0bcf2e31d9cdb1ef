import type { ApprovalCard, CardArgument } from '../../bridge/approval';
import type { Manifest, ManifestEntry } from '../../bridge/manifest';
import type { Json, JsonObject } from '../../bridge/wire';

/** A card with the values it must show, as internal/cli/cardtruth_linux_test.go writes them. */
export interface ShownCard {
  seed: number;
  number: number;
  card: ApprovalCard;
  /** The values that are executed; null where the steps say them. */
  leaves: readonly { pointer: string; value: Json; kind?: string; name?: string }[] | null;
  /** Of records, by kind and id. */
  names: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const capability = (name: string, title: string, properties: JsonObject): ManifestEntry => ({
  ...{ name, title, side_effect: 'destructive', available: true },
  input_schema: { type: 'object', properties },
});

const id = (entity: string): JsonObject => ({ type: 'string', 'x-entity': entity });

/** The manifest of the cards below. */
export const manifestOfCards: Manifest = {
  schema_version: '0.2.0',
  application: { name: 'Deskhand', version: '0' },
  capabilities: [
    capability('cart.addItem', 'Add a product', { productId: id('product'), quantity: { type: 'integer' } }),
    capability('order.addNote', 'Add a note', { orderId: id('order'), text: { type: 'string' } }),
    capability('order.cancel', 'Cancel an order', {
      orderId: id('order'),
      reason: { type: 'string', enum: ['no longer needed', 'other'] },
    }),
    capability('entity.names', 'Names', {}),
  ],
  entities: [
    { type: 'product', title: 'Product', sources: [] },
    { type: 'customer', title: 'Customer', sources: [] },
    { type: 'order', title: 'Order', sources: [] },
  ],
};

/** Texts of people that a page which is careless changes, hides, translates or takes for its own words. */
const hostile = ['Gift card', 'Home', 'Orders', 'no longer needed', '1,000.00', '$1,026.39', '2 March 2026', 'F8'];
hostile.push('<b>bold</b>', '**bold**', 'Ana of Order #1 of Cash', 'Cash, Tea; no: yes', "Add 1 × Tea to Ana's cart");
hostile.push('constructor', '__proto__', 'valueOf', 'toString', 'hasOwnProperty');

type Value = readonly [pointer: string, label: string, value: Json, text?: string];

const kindAt = (pointer: string) => pointer.slice(1).replace(/Id$/, '');

let number = 0;
function shown(name: string, sentence: string, values: readonly Value[], rest: Partial<ApprovalCard> = {}): ShownCard {
  number += 1;
  const args = values.map(([pointer, label, value, text = String(value)]): CardArgument => {
    return { pointer, label, value, text, origin: 'guess' };
  });
  return {
    ...{ seed: 0, number },
    leaves: values.map(([pointer, , value, text]) => ({ pointer, value, kind: kindAt(pointer), name: text })),
    names: Object.fromEntries(
      values.flatMap(([pointer, , value, text]) =>
        text === undefined ? [] : [[kindAt(pointer), { [String(value)]: text }]],
      ),
    ),
    card: {
      ...{ approval_id: `a${number}`, request_id: `r${number}`, conversation_id: 'c', capability: name, title: name },
      ...{ side_effect: 'destructive', sentence, arguments: args, expires_at: 0, ...rest },
    },
  };
}

/** A few cards for where the many of build/cards.sh are not. */
export const ownCards: readonly ShownCard[] = hostile.flatMap((text, at) => [
  shown('cart.addItem', `Add 2 × ${text} to Ana Ruiz's cart`, [
    ['/productId', 'Product', `prd_added${at}`, text],
    ['/quantity', 'Quantity', 2],
  ]),
  shown('order.addNote', `Add a note to order 1001 of Ana Ruiz: “${text}”`, [
    ['/orderId', 'Order', `ord_note${at}`, '1001 · Ana Ruiz · $5.00'],
    ['/text', 'Text', text],
  ]),
  shown(
    'order.cancel',
    `Cancel order 1001 of ${text}`,
    [
      ['/orderId', 'Order', `ord_cancel${at}`, `1001 · ${text} · $5.00`],
      ['/reason', 'Reason', 'no longer needed'],
    ],
    {
      effects: [
        {
          table: 'orders',
          key: { id: `ord_cancel${at}` },
          op: 'update',
          before: { name: '' },
          after: { name: text },
        },
      ],
    },
  ),
]);

/** A card with a grant that may be given, whose bounds the person changes. */
export const cardWithGrant = shown(
  'order.cancel',
  'Cancel order 1001 of Ana Ruiz',
  [
    ['/orderId', 'Order', 'ord_grant', '1001 · Ana Ruiz · $5.00'],
    ['/reason', 'Reason', 'no longer needed'],
  ],
  { facts: { amount: { amount: 500, currency: 'USD' } }, grant: { limits: { uses: 3 } } },
);
