import { describe, expect, it } from 'vitest';
import type { Response } from '../../bridge/capabilities';
import type { ManifestEntry } from '../../bridge/manifest';
import { changeOf, checkoutArguments, dueOf, methodOf, payingOf, selected, whyNot } from './checkout';

type Cart = Response<'cart.getSummary'>;

const home = { id: 'home' };
const work = { id: 'work', default: true };
const total = { amount: 4288, currency: 'USD', text: '$42.88' };
const cash = { id: 'cash', label: 'Cash', kind: 'cash' };
const card = { id: 'card', label: 'Card', kind: 'card' };
const visa = { id: 'pm_visa', label: 'Visa', kind: 'card' };
const delivery = {
  ...{ fulfilment: 'deliver', problems: [], total },
  savedPaymentMethods: [{ ...visa, default: true }, cash],
} as unknown as Cart;
const takenAlong: Cart = {
  ...delivery,
  fulfilment: 'takeAway',
  savedPaymentMethods: [{ ...cash, default: true }, card, visa],
};

describe('selected', () => {
  it('keeps what the person chose', () => expect(selected([home, work], 'home')).toBe('home'));
  it('falls back to the default when that is gone', () => expect(selected([home, work], 'old')).toBe('work'));
  it('takes the only one', () => expect(selected([home], undefined)).toBe('home'));
  it('guesses nothing among several', () => expect(selected([home, { id: 'b' }], undefined)).toBeUndefined());
});

describe('what pays', () => {
  it('is the default until something is chosen', () => {
    expect(methodOf(takenAlong, undefined)?.id).toBe('cash');
    expect(methodOf(takenAlong, 'card')?.id).toBe('card');
  });
  it('is the default again where the cart cannot be paid by what was chosen', () =>
    expect(methodOf(delivery, 'card')?.id).toBe('pm_visa'));
});

describe('whyNot', () => {
  const entry: ManifestEntry = { name: 'checkout.submit', title: '', side_effect: 'destructive', available: true };
  const ready = { entry, cart: delivery, choices: {}, addressId: 'a', method: visa };
  it('is silent when the order can be submitted', () => expect(whyNot(ready)).toBeUndefined());
  it('says what is wrong with the cart', () =>
    expect(whyNot({ ...ready, cart: { ...delivery, problems: ['The cart is empty.', 'x'] } })).toBe(
      'The cart is empty.',
    ));
  it('gives the application’s reason', () =>
    expect(whyNot({ ...ready, entry: { ...entry, available: false, unavailable_reason: 'No shop.' } })).toBe(
      'No shop.',
    ));
  it('asks for an address, then for a payment method', () => {
    expect(whyNot({ ...ready, addressId: undefined, method: undefined })).toMatch(/goes/);
    expect(whyNot({ ...ready, method: undefined })).toMatch(/paid/);
  });
  it('asks for no address of what is taken along', () =>
    expect(whyNot({ ...ready, cart: takenAlong, addressId: undefined })).toBeUndefined());
  it('says how much cash is missing', () => {
    const paid = { ...ready, cart: takenAlong, method: cash };
    expect(whyNot({ ...paid, choices: { tendered: 4000 } })).toBe('$2.88 more is due.');
    expect(whyNot({ ...paid, choices: { tendered: 4288 } })).toBeUndefined();
    expect(whyNot({ ...paid, choices: {} })).toBeUndefined();
  });
  it('says so when the person may not', () => expect(whyNot({ ...ready, entry: undefined })).toMatch(/may not/));
});

describe('changeOf', () => {
  const change = (tendered: number, cart = takenAlong) => changeOf(dueOf(cart, payingOf(cart, {})), tendered)?.amount;
  it('is what was handed over less the total', () => expect(change(5000)).toBe(712));
  it('is nothing yet while too little is there', () => expect(change(4000)).toBeUndefined());
  const swiss = { ...takenAlong, rounding: { amount: 2, currency: 'CHF' } };
  it('counts from the amount that the application has rounded', () => {
    expect(change(5000, swiss)).toBe(710);
    expect(change(4289, swiss)).toBeUndefined();
    expect(dueOf(swiss, payingOf(swiss, { methodId: 'card' }))).toEqual({ all: total });
  });
  it('counts of a part in cash from its preview, and from nothing before there is one', () => {
    const part = { methodId: 'card', part: { amount: 4000, restId: 'cash' }, tendered: 300 };
    const paying = payingOf(swiss, part);
    const preview = {
      rounding: { amount: 2, currency: 'USD' },
      payments: [{ amount: { amount: 4000 } }, { amount: { amount: 290, currency: 'USD' } }],
    } as unknown as Response<'checkout.submit'>;
    const due = dueOf(swiss, paying, preview);
    expect(due).toMatchObject({ all: { amount: 4290 }, cash: { amount: 290 } });
    expect(changeOf(due, 300)?.amount).toBe(10);
    expect(dueOf(swiss, paying)).toMatchObject({ all: { amount: 4288 }, cash: undefined });
  });
});

describe('a part', () => {
  const ready = { entry: undefined, cart: takenAlong, addressId: undefined, method: cash };
  const entry: ManifestEntry = { name: 'checkout.submit', title: '', side_effect: 'destructive', available: true };
  const named = (choices: object) => payingOf(takenAlong, choices).map(({ method, amount }) => [method?.id, amount]);
  it('is paid by the chosen method, and the rest by the first other one until another is chosen', () => {
    expect(named({ part: { amount: 1000 } })).toEqual([
      ['cash', 1000],
      ['card', 3288],
    ]);
    expect(named({ methodId: 'card', part: { amount: 1000, restId: 'pm_visa' } })).toEqual([
      ['card', 1000],
      ['pm_visa', 3288],
    ]);
    expect(named({ methodId: 'card', part: { amount: 1, restId: 'card' } })[1]).toEqual(['cash', 4287]);
  });
  it.each([[undefined], [0], [4288], [5000]])('of %s is none', (amount) => {
    expect(whyNot({ ...ready, entry, choices: { part: { amount } } })).toMatch(/less than the total/);
    expect(whyNot({ ...ready, entry, choices: { part: { amount: 4287 } } })).toBeUndefined();
  });
  it('is sent before the rest, which has no amount, and cash handed over is for the cash alone', () => {
    const choices = { part: { amount: 1000 }, tendered: 900 };
    const preview = { payments: [{ amount: { amount: 1000, currency: 'USD' } }] } as Response<'checkout.submit'>;
    expect(whyNot({ ...ready, entry, choices, preview })).toBe('$1.00 more is due.');
    const args = checkoutArguments({ ...ready, choices: { ...choices, tendered: 2000 } });
    expect(args.paymentMethodId).toBeUndefined();
    expect(args).toMatchObject({
      payments: [{ paymentMethodId: 'cash', amount: { amount: 1000, currency: 'USD' } }, { paymentMethodId: 'card' }],
      tendered: { amount: 2000, currency: 'USD' },
      expectedTotal: { amount: 4288, currency: 'USD' },
    });
  });
});

describe('checkoutArguments', () => {
  const agreed = { amount: 4288, currency: 'USD' };
  it('leaves out what only a delivery has', () =>
    expect(
      checkoutArguments({
        cart: takenAlong,
        choices: { giftMessage: 'x', tendered: 5000 },
        ...{ addressId: 'a', method: cash },
      }),
    ).toEqual({
      fulfilment: 'takeAway',
      paymentMethodId: 'cash',
      tendered: { amount: 5000, currency: 'USD' },
      expectedTotal: agreed,
    }));
  it('leaves out the cash when something else pays', () =>
    expect(
      checkoutArguments({
        cart: delivery,
        choices: { giftMessage: ' Hi ', tendered: 5000 },
        ...{ addressId: 'a', method: visa },
      }),
    ).toEqual({
      fulfilment: 'deliver',
      shippingAddressId: 'a',
      paymentMethodId: 'pm_visa',
      giftMessage: 'Hi',
      expectedTotal: agreed,
    }));
});
