import { describe, expect, it } from 'vitest';
import { type AuditRecord, besideTitle, decisionText, eventText, isNavigation, offersUndo, outcomeOf } from './record';

describe('outcomeOf', () => {
  it('is done', () => expect(outcomeOf({ status: 'success' }).text).toBe('Done'));
  it('is a preview', () => expect(outcomeOf({ status: 'success', dry_run: true }).text).toBe('Preview'));
  it('is declined, not merely refused', () =>
    expect(outcomeOf({ status: 'error', code: 'FORBIDDEN', reason: 'declined' }).text).toBe('Declined'));
  it('is refused', () =>
    expect(outcomeOf({ status: 'error', code: 'FORBIDDEN', reason: 'permission' }).text).toBe('Refused'));
});

describe('decisionText', () => {
  it('says who allowed it', () => expect(decisionText({ answer: 'allow', by: 'Mara' })).toBe('Mara allowed it once.'));
  it('quotes why it was denied', () =>
    expect(decisionText({ answer: 'deny', by: 'Mara', reason: 'wrong address' })).toBe(
      'Mara said no: “wrong address”.',
    ));
  it('names the rule', () =>
    expect(decisionText({ rule: 'allowed', by: 'class pure' })).toBe('Allowed without asking (class pure).'));
  it('names no rule where the capability itself decides', () =>
    expect(decisionText({ rule: 'allowed', by: 'access' })).toBe('Allowed without asking.'));
  it('says that it was another person with a PIN', () =>
    expect(decisionText({ answer: 'allow', by: 'Mara', authentication: 'pin' })).toBe(
      'Mara allowed it once, by PIN at the card.',
    ));
  it('is silent when nobody had to decide', () => expect(decisionText(undefined)).toBeUndefined());
});

describe('isNavigation', () => {
  it.each(['navigation.go', 'modal.open', 'theme.toggle', 'approval.answer'])('is %s', (capability) =>
    expect(isNavigation({ capability })).toBe(true),
  );
  it('is not what changes the shop', () => expect(isNavigation({ capability: 'cart.addItem' })).toBe(false));
});

describe('eventText', () => {
  it('tells what changed, and what a notification says', () => {
    expect(eventText({ type: 'stateChange', domain: 'order', summary: 'Order A1 placed', ids: ['A1', 'A2'] })).toBe(
      'Changed · order · Order A1 placed · A1 A2',
    );
    expect(eventText({ type: 'notification', level: 'info', message: 'Printed' })).toBe('Notice · info · Printed');
  });
});

describe('besideTitle', () => {
  it('does not say the title again', () => {
    expect(besideTitle('Undo', 'Undo: Add to cart')).toBe('Add to cart');
    expect(besideTitle('Undo', 'Undone by hand')).toBe('Undone by hand');
    expect(besideTitle('Undo', '')).toBe('');
  });
});

describe('offersUndo', () => {
  const done = { request_id: 'r1', status: 'success', effects: [{ table: 'carts', op: 'update' }] } as AuditRecord;
  const undo = { request_id: 'r2', status: 'success', facts: { undoes: 'r1' } } as unknown as AuditRecord;

  it('does, for what changed something and is reversible', () => expect(offersUndo(done, true, [done])).toBe(true));
  it('does, when undoing it failed', () =>
    expect(offersUndo(done, true, [done, { ...undo, status: 'error' }])).toBe(true));
  it.each<[string, AuditRecord, boolean, AuditRecord[]]>([
    ['is not reversible', done, false, []],
    ['failed', { ...done, status: 'error' }, true, []],
    ['was only tried out', { ...done, dry_run: true }, true, []],
    ['gave an earlier answer again', { ...done, replayed: true }, true, []],
    ['changed nothing', { ...done, effects: [] }, true, []],
    ['was erased', { ...done, erased: true }, true, []],
    ['is undone already', done, true, [undo]],
  ])('does not, for what %s', (_, record, reversible, trace) =>
    expect(offersUndo(record, reversible, trace)).toBe(false),
  );
});
