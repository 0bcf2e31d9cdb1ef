import type { ApprovalCard } from '../../bridge/approval';
import type { ChatUpdate, SentTurn } from '../../bridge/chat';
import type { Failure, Json, JsonObject, Success } from '../../bridge/wire';
import type { FakeApplication } from './application';
import { products } from './data';

/** An assistant that knows two sentences. */
export class FakeAssistant {
  readonly #app: FakeApplication;

  constructor(app: FakeApplication) {
    this.#app = app;
  }

  hear({ text, conversation_id = this.#app.newId('chat') }: { text: string; conversation_id?: string }): SentTurn {
    const turn: Turn = { conversation_id, turn_id: this.#app.newId('turn'), sentence: text };
    setTimeout(() => this.#answer(turn), 5);
    return { conversation_id, turn_id: turn.turn_id };
  }

  async #answer(turn: Turn): Promise<void> {
    this.#tell(turn, {
      ...{ type: 'turn_started', text: turn.sentence },
      model: { endpoint: 'built-in', name: 'built-in assistant' },
    });
    const say = /guji/i.test(turn.sentence)
      ? this.#add(turn)
      : /submit/i.test(turn.sentence)
        ? await this.#submit(turn)
        : 'I am the built-in assistant: no model, no network. I can **add** things to a cart and *submit* an order.';
    const message_id = this.#app.newId('msg');
    for (const piece of say.match(/.{1,12}/gs) ?? []) this.#tell(turn, { type: 'delta', message_id, text: piece });
    const title = 'Submit my order to my home address.';
    const choices = [{ field: '', options: [{ value: title, title }] }];
    this.#tell(turn, {
      type: 'message',
      message_id,
      text: say,
      choices: /guji/i.test(turn.sentence) ? choices : undefined,
    });
    this.#tell(turn, { type: 'turn_ended', status: 'done' });
  }

  #add(turn: Turn): string {
    this.#call(turn, 'customer.search', 'Find customers', { query: 'Ana' });
    this.#call(turn, 'catalog.search', 'Search products', { query: 'Guji' });
    const args = { productId: products[0]?.id ?? '', quantity: 2, customerId: 'cus_ana' };
    this.#call(turn, 'cart.addItem', 'Add to the cart', args);
    return `Added 2 × Guji, 250 g, to Ana Ruiz's cart: ${this.#app.shop.summary().total.text}.`;
  }

  async #submit(turn: Turn): Promise<string> {
    this.#call(turn, 'cart.getSummary', 'Show the cart', {});
    const args = { shippingAddressId: 'adr_home', paymentMethodId: 'pm_visa' };
    const request_id = this.#app.newId('req');
    const call_id = this.#app.newId('call');
    const named = { capability: 'checkout.submit', title: 'Submit the order', side_effect: 'destructive' as const };
    this.#tell(turn, { type: 'call', call_id, request_id, ...named, arguments: args });
    const card = cardFor(this.#app, { ...named, request_id, conversation_id: turn.conversation_id });
    const { answer, reason } = await this.#app.ask(card);
    const caller = { type: 'agent', source: turn.conversation_id };
    const invocation = { capability: 'checkout.submit', arguments: args, request_id, caller, sentence: turn.sentence };
    const decision = { rule: 'confirmation_required', answer, by: 'Mara Lindqvist', reason };
    if (answer === 'deny') {
      const message = 'A person said no.';
      const result: Failure = { status: 'error', request_id, code: 'FORBIDDEN', message, retryable: false };
      this.#app.record(invocation, result, { reason: 'declined', decision, trace_id: turn.turn_id });
      this.#tell(turn, { type: 'result', call_id, request_id, result });
      return 'Nothing was ordered.';
    }
    const result = this.#app.run(invocation);
    const effects = card.effects?.map((effect) => ({ ...effect }));
    Object.assign(this.#app.records[0] ?? {}, {
      decision,
      effects,
      facts: card.facts,
      summary: card.sentence,
      trace_id: turn.turn_id,
    });
    this.#tell(turn, { type: 'result', call_id, request_id, result: result as Success<Json> });
    const { data } = result as Success<{ orderId: string; estimatedDelivery: string }>;
    return `Order **${data.orderId}** is placed. Estimated delivery ${data.estimatedDelivery}.`;
  }

  #call(turn: Turn, capability: string, title: string, args: JsonObject): void {
    const [request_id, call_id] = [this.#app.newId('req'), this.#app.newId('call')];
    this.#tell(turn, { type: 'call', call_id, request_id, capability, title, side_effect: 'pure', arguments: args });
    const caller = { type: 'agent', source: turn.conversation_id };
    const result = this.#app.run({ capability, arguments: args, request_id, caller, sentence: turn.sentence });
    Object.assign(this.#app.records[0] ?? {}, { trace_id: turn.turn_id });
    this.#tell(turn, { type: 'result', call_id, request_id, result: result as Success<Json> | Failure });
  }

  #tell({ conversation_id, turn_id }: Turn, update: Omit<ChatUpdate, 'conversation_id' | 'turn_id'>): void {
    this.#app.emit('chat', { conversation_id, turn_id, ...update });
  }
}

interface Turn {
  conversation_id: string;
  turn_id: string;
  sentence: string;
}

function cardFor(
  app: FakeApplication,
  named: Pick<ApprovalCard, 'capability' | 'title' | 'side_effect' | 'request_id' | 'conversation_id'>,
): ApprovalCard {
  const { total, shipping, tax, subtotal } = app.shop.summary();
  const id = '#W2000400';
  const order = { status: 'pending', placed_at: Date.now(), placed_by: 'owner', subtotal: subtotal.amount };
  return {
    ...named,
    approval_id: app.newId('apr'),
    sentence: `Submit order for Ana Ruiz: ${total.text}, to 123 Main St (Home), paid by Visa ending 4242`,
    arguments: [
      {
        pointer: '/shippingAddressId',
        label: 'Shipping address',
        value: 'adr_home',
        text: '123 Main St, Portland, OR 97201 (Home)',
        origin: 'looked_up',
      },
      {
        pointer: '/paymentMethodId',
        label: 'Payment method',
        value: 'pm_visa',
        text: 'Visa ending 4242',
        origin: 'guess',
      },
    ],
    facts: { amount: { amount: total.amount, currency: 'USD' }, customerId: 'cus_ana' },
    effects: [
      {
        table: 'carts',
        key: { id: 'crt_8' },
        op: 'update',
        before: { status: 'open', order_id: '' },
        after: { status: 'submitted', order_id: id },
      },
      {
        table: 'orders',
        key: { id },
        op: 'insert',
        after: {
          id,
          ...order,
          shipping: shipping.amount,
          tax: tax.amount,
          total: total.amount,
          tax_included: 0,
          estimated_delivery: '2026-11-24',
          gift_message: '',
          address_label: 'Home',
          line1: '123 Main St',
          city: 'Portland',
          region: 'OR',
          postal_code: '97201',
          country: 'US',
          name_fold: ' ana ',
        },
      },
      {
        table: 'order_lines',
        key: { order_id: id, line: 1 },
        op: 'insert',
        after: {
          order_id: id,
          line: 1,
          sku: 'GUJ-250G',
          name: 'Guji',
          label: '250 g',
          quantity: 2,
          price: 1850,
          total: 3700,
        },
      },
      {
        table: 'payments',
        key: { id: 'pay_1' },
        op: 'insert',
        after: { id: 'pay_1', kind: 'payment', label: 'Visa ending 4242', amount: total.amount, at: Date.now() },
      },
      { table: 'variants', key: { id: 'var_0_0' }, op: 'update', before: { stock: 24 }, after: { stock: 22 } },
    ],
    expires_at: Date.now() + 300_000,
  };
}
