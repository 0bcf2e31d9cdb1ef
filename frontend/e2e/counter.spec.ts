import { expect, type Page } from '@playwright/test';
import { chooseCustomer, emptyCart, openPage, putGuji, test, typeText } from './desk';

const cartOf = (page: Page) => page.getByRole('region', { name: 'Cart' });

test('no amount of the cart is cut, however long', async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  const lines = cartOf(desk).getByRole('list', { name: 'In the cart' });
  await lines.getByRole('textbox', { name: /^Quantity of Guji/ }).fill('60');
  const amount = lines.getByText(/^\$1,\d{3}\.\d\d$/);
  await expect(amount).toBeVisible();
  const { text, room } = await amount.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    return { text: words.getBoundingClientRect().width, room: element.getBoundingClientRect().width };
  });
  expect(text, 'the words fit their column').toBeLessThanOrEqual(room + 0.5);
  await desk.screenshot({ path: 'test-results/long-amount.png' });
  await emptyCart(desk);
});

test('what was chosen for a cart stays chosen', async ({ desk }) => {
  const cart = cartOf(desk);
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await expect(cart.getByRole('radio', { name: /Home/ }), 'the default, while nothing is chosen').toBeChecked();
  await cart.getByRole('radio', { name: /Work/ }).check();
  await cart.getByRole('button', { name: 'Cash' }).click();
  await cart.getByRole('textbox', { name: 'Gift message' }).fill('For Anna');

  const expectChoices = async (when: string) => {
    await expect(cart.getByRole('radio', { name: /Work/ }), when).toBeChecked();
    await expect(cart.getByRole('button', { name: 'Cash' }), when).toHaveAttribute('aria-pressed', 'true');
    await expect(cart.getByRole('textbox', { name: 'Gift message' }), when).toHaveValue('For Anna');
  };
  await openPage(desk, 'Orders');
  await openPage(desk, 'Counter');
  await expectChoices('after another page');
  await desk.screenshot({ path: 'test-results/choices.png' });

  await chooseCustomer(desk, 'Noah Whitfield');
  await chooseCustomer(desk, 'Ana Ruiz');
  await expectChoices('after another customer');

  await desk.keyboard.press('F9');
  await desk.getByRole('button', { name: 'Open order' }).click();
  await expect(desk.getByRole('region', { name: 'Order' })).toContainText('Work:');
  await expect(desk.getByRole('region', { name: 'Order' })).toContainText('For Anna');
});

test('a quantity of none takes the line out', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await cartOf(desk)
    .getByRole('textbox', { name: /^Quantity of Guji/ })
    .fill('0');
  await expect(cartOf(desk)).toContainText('The cart is empty');
  await expect(desk.getByRole('alert')).toHaveCount(0);
});

/** Types a quantity over that of the only line, and presses F9 at once. */
async function typeAndSubmit(desk: Page, digits: string): Promise<void> {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  const quantity = cartOf(desk).getByRole('textbox', { name: /^Quantity of Guji/ });
  await quantity.focus();
  await quantity.press('Control+A');
  for (const digit of digits) await desk.keyboard.press(digit);
  await desk.keyboard.press('F9');
}

test('the quantity that was typed is sold, however soon F9 follows', async ({ desk }) => {
  await typeAndSubmit(desk, '5');
  await desk.keyboard.press('F9');
  await desk.getByRole('button', { name: 'Open order' }).click();
  await expect(desk.getByRole('region', { name: 'Order' })).toContainText('$107.20');
});

test('the quantity that was typed is sold before the cart shows it', async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await desk.evaluate(() => {
    const { App } = (window as unknown as { go: { main: { App: { Invoke: (call: string) => Promise<string> } } } }).go
      .main;
    const { Invoke } = App;
    App.Invoke = async (call) => {
      const answer = await Invoke(call);
      if (call.includes('cart.getSummary')) await new Promise((later) => setTimeout(later, 1500));
      if (call.includes('cart.setQuantity')) document.body.dataset.quantity = 'set';
      return answer;
    };
  });
  const quantity = cartOf(desk).getByRole('textbox', { name: /^Quantity of Guji/ });
  await quantity.press('Control+A');
  await typeText(desk, '3');
  await desk.locator('body[data-quantity=set]').waitFor();
  await desk.keyboard.press('F9');
  await desk.getByRole('button', { name: 'Open order' }).click();
  await expect(desk.getByRole('region', { name: 'Order' })).toContainText('$64.32');
});

test('a quantity that is too large is refused in words', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await cartOf(desk)
    .getByRole('textbox', { name: /^Quantity of Guji/ })
    .fill('10000');
  await expect(cartOf(desk).getByRole('alert')).toHaveText('Quantity: must be at most 9,999.');
});

test('Enter at once asks which of several is meant, and the next takes the first', { tag: '@long' }, async ({
  desk,
}) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await desk.keyboard.press('F2');
  await typeText(desk, 'guji');
  await desk.keyboard.press('Enter');
  const products = desk.getByRole('region', { name: 'Products' });
  await expect(products.getByRole('status').filter({ hasText: /^\d+ matches, choose one$/ })).toBeVisible();
  const first = desk.getByRole('grid', { name: 'Products found' }).getByRole('row').first();
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await expect(first).toContainText('Guji');
  await desk.screenshot({ path: 'test-results/several.png' });
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
});

test('after a customer comes a product', async ({ desk }) => {
  await desk.getByRole('button', { name: /(Choose|Change) customer/ }).click();
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('button', { name: /(Choose|Change) customer/ }), 'nobody chosen').toBeFocused();
  await chooseCustomer(desk, 'Ana Ruiz');
  await expect(desk.getByRole('combobox', { name: 'Search products' })).toBeFocused();
});

test('on a small window beside the assistant the total and the button stay in view', { tag: '@long' }, async ({
  desk,
}) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await desk.setViewportSize({ width: 900, height: 600 });
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('region', { name: 'Conversation' })).toBeVisible();
  await desk.screenshot({ path: 'test-results/small-counter.png' });
  await expect(cartOf(desk).getByRole('button', { name: /Submit order/ })).toBeInViewport({ ratio: 1 });
  await expect(cartOf(desk).getByText('Total', { exact: true })).toBeInViewport({ ratio: 1 });
  await cartOf(desk).getByRole('textbox', { name: 'Gift message' }).fill('Hello');
  await expect(cartOf(desk).getByRole('textbox', { name: 'Gift message' })).toBeInViewport();
});

test('a typed quantity that is refused sells nothing', { tag: '@long' }, async ({ desk }) => {
  await typeAndSubmit(desk, '10000');
  await expect(cartOf(desk).getByRole('alert')).toHaveText('Quantity: must be at most 9,999.');
  await expect(cartOf(desk)).toContainText('Guji Natural');
  await expect(desk.getByRole('button', { name: 'Open order' })).toHaveCount(0);
});
