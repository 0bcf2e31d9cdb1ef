import { expect, type Page } from '@playwright/test';
import { chooseCustomer, emptyCart, openPage, putGuji, test } from './desk';

const cartOf = (page: Page) => page.getByRole('region', { name: 'Cart' });

test('what was chosen for a cart stays chosen', async ({ desk }) => {
  const cart = cartOf(desk);
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await expect(cart.getByRole('radio', { name: /Home/ }), 'the default, while nothing is chosen').toBeChecked();
  await cart.getByRole('radio', { name: /Work/ }).check();
  await cart.getByRole('radio', { name: /Cash/ }).check();
  await cart.getByRole('textbox', { name: 'Gift message' }).fill('For Anna');

  const expectChoices = async (when: string) => {
    await expect(cart.getByRole('radio', { name: /Work/ }), when).toBeChecked();
    await expect(cart.getByRole('radio', { name: /Cash/ }), when).toBeChecked();
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
