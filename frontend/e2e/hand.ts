import { expect, type Locator, type Page } from '@playwright/test';
import { scan, typeText } from './desk';

export type Tool = 'keyboard' | 'touch' | 'mouse';

/** One who sells, with one tool; counts the inputs. */
export class Hand {
  inputs = 0;
  constructor(
    readonly desk: Page,
    readonly tool: Tool,
  ) {}

  async scan(code: string): Promise<void> {
    this.inputs += 1;
    await scan(this.desk, code);
  }

  /** Types where the focus is. */
  async type(text: string): Promise<void> {
    this.inputs += 1;
    await typeText(this.desk, text);
  }

  async press(...keys: string[]): Promise<void> {
    this.inputs += keys.length;
    for (const key of keys) await this.desk.keyboard.press(key);
  }

  /** Does one thing: by its keys, or where it is seen. */
  async choose(keys: string, seen: Locator): Promise<void> {
    if (this.tool === 'keyboard') return this.press(...keys.split(' '));
    this.inputs += 1;
    if (this.tool === 'mouse') return seen.click();
    await expect(seen).toBeVisible();
    const target = seen.locator(
      'xpath=ancestor-or-self::*[self::button or self::label or self::select or self::input or @role="row" or @role="option"][1]',
    );
    const { width = 0, height = 0 } = (await target.first().boundingBox()) ?? {};
    expect(Math.min(width, height), `the size of ${seen}`).toBeGreaterThanOrEqual(44);
    await seen.tap();
  }

  /** Leads to a field: by Tab, or where it is seen. */
  async reach(field: Locator): Promise<void> {
    if (this.tool !== 'keyboard') return this.choose('', field);
    await expect(field).toBeAttached();
    // A dialog that has just opened takes the focus first: a Tab before that is one too many.
    if ((await this.desk.getByRole('dialog').count()) > 0)
      await expect(this.desk.locator('[role=dialog]:focus-within')).toHaveCount(1);
    for (let presses = 0; presses < 30 && (await field.and(this.desk.locator(':focus')).count()) === 0; presses += 1)
      await this.press('Tab');
    await expect(field).toBeFocused();
  }

  /** Chooses an option of a list. */
  async pick(list: Locator, name: string | RegExp): Promise<void> {
    await this.reach(list);
    const option = this.desk.getByRole('option', { name });
    for (let presses = 0; this.tool === 'keyboard' && presses < 9; presses += 1) {
      await this.press('ArrowDown');
      await expect(option).toBeVisible();
      if ((await option.getAttribute('data-combobox-selected')) === 'true') break;
    }
    await this.choose('Enter', option);
  }

  /** Fills a field, which the Tab or the press that leads to it is a part of: one input. */
  async fill(field: Locator, text: string): Promise<void> {
    const before = this.inputs;
    if (!(await field.and(this.desk.locator(':focus')).count())) await this.reach(field);
    await expect(field).toBeFocused();
    await this.type(text);
    this.inputs = before + 1;
  }
}

export const cartOf = (desk: Page) => desk.getByRole('region', { name: 'Cart' });
export const sell = (desk: Page) => cartOf(desk).getByRole('button', { name: /^(Sell|Submit order) · / });
export const lastSale = (desk: Page) =>
  cartOf(desk)
    .getByRole('status')
    .filter({ has: desk.getByRole('button', { name: 'Open order' }) });

/** Opens an order by the number on its receipt. */
export async function find(hand: Hand, orderId: string): Promise<void> {
  const { desk } = hand;
  await hand.choose(
    'Control+K',
    desk.getByRole('banner').getByRole('button', { name: /^Find pages, records, settings, actions/ }),
  );
  await hand.type(orderId);
  const found = desk.getByRole('dialog').getByRole('option').first();
  await expect(found).toContainText(orderId);
  await hand.choose('Enter', found);
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${orderId}` })).toBeVisible();
}

export const action = (desk: Page, name: string) =>
  desk.getByRole('group', { name: 'Actions' }).getByRole('button', { name: new RegExp(`^${name}`) });

/** Chooses a reason in the system's list: by its letter, or in two steps. */
export async function reason(hand: Hand, letter: string, name: string): Promise<void> {
  const list = hand.desk.getByRole('dialog').getByRole('combobox', { name: 'Reason' });
  if (hand.tool === 'keyboard') await hand.press(letter);
  else {
    await list.selectOption(name); // the list itself is the system's: nothing in the page to click
    hand.inputs += 2;
  }
  await expect(list.locator('option:checked')).toHaveText(name);
}
