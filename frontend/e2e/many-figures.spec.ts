import { expect, type Page } from '@playwright/test';
import { openPage, test } from './desk';
import { drawn, markFirstRow, measure, nav, row, spread, startOf, tell, times } from './painted';

/*
 * What people wait for in a shop of 50 000 customers, 10 000 products and 200 000
 * orders. Nothing is asserted of time, only that the right rows came:
 *
 *   DESKHAND_MANY=DIR build/flows.sh build/bin/deskhand-dev many-figures --grep @figures
 */
test.skip(!process.env.DESKHAND_MANY_URL, 'a large shop is the real one’s');
test.use({ baseURL: process.env.DESKHAND_MANY_URL });

const digits = (n: number, width: number) => String(n).padStart(width, '0');
/** Measures from words put into a search to the first row they lead to. Before each run the list shows other rows. */
async function searches(
  page: Page,
  field: string,
  words: Record<string, (i: number) => [text: string, until: string]>,
) {
  const fill = `//input[@aria-label="${field}"]`;
  for (const [what, of] of Object.entries(words)) {
    await measure(`${field}: ${what}`, async (i) => {
      await page.waitForTimeout(250); // the earlier requests have ended
      const [text, until] = of(i);
      return drawn(page, { fill, text }, until);
    });
  }
  await page.getByLabel(field).fill('');
}

test('from the start to the counter @figures', async ({ desk }) => {
  await markFirstRow(desk);
  const [paint, row]: [number[], number[]] = [[], []];
  for (let i = 0; i < times; i += 1) {
    const at = await startOf(desk);
    paint.push(at['first paint']);
    row.push(at['first row']);
  }
  tell('reload: the first paint', { took: spread(paint) });
  tell('reload: the first row of the counter', { took: spread(row) });
});

test('opening the pages @figures', async ({ desk }) => {
  for (const [name, list] of [
    ['Orders', 'orders'],
    ['Customers', 'customers'],
    ['Catalog', 'catalog'],
  ] as const) {
    // Half a second after the start the code is still loading; five seconds later it is there.
    for (const [when, rest] of [
      ['at once after the start', 500],
      ['for the first time', 5000],
    ] as const) {
      await measure(`${name}: opened ${when}`, async () => {
        await openPage(desk, 'Counter');
        await desk.reload(); // it opens where it was
        await desk.waitForTimeout(rest);
        return drawn(desk, { click: nav(name) }, row(list));
      });
    }
    await measure(`${name}: opened again`, async () => {
      await openPage(desk, 'Counter');
      await desk.waitForTimeout(100);
      return drawn(desk, { click: nav(name) }, row(list));
    });
  }
  for (const [name, until] of [
    ['Today', '//main//section[.//h2="Orders waiting"][not(ancestor::*[contains(@style, "display: none")])]//tbody/tr'],
    ['Settings', '//main//h2[not(ancestor::*[contains(@style, "display: none")])]'],
  ] as const) {
    await measure(`${name}: opened for the first time`, async () => {
      await openPage(desk, 'Counter');
      await desk.reload();
      await desk.waitForTimeout(5000);
      return drawn(desk, { click: nav(name) }, until);
    });
  }
});

test('searching @figures', async ({ desk }) => {
  await openPage(desk, 'Orders');
  await searches(desk, 'Search orders', {
    number: (i) => [`#W${digits(100_000 + i, 7)}`, row('orders', `#W${digits(100_000 + i, 7)}`)],
    customer: (i) => [`customer ${digits(1000 + i, 7)}`, row('orders', `Customer ${digits(1000 + i, 7)}`)],
    product: (i) => [`product ${digits(2000 + i, 6)}`, row('orders', `Product ${digits(2000 + i, 6)}`)],
    'name with accents': (i) => [
      `Åkerström ${digits(42 + 500 * i, 7)}`,
      row('orders', `Zoë Åkerström ${digits(42 + 500 * i, 7)}`),
    ],
    'rare word': (i) => [
      `lighthouse ${digits(17 + 1000 * (i % 10), 6)}`,
      row('orders', `${digits(17 + 1000 * (i % 10), 6)} of the lighthouse`),
    ],
    'beginning of a rare word': (i) => ['lighthouse'.slice(0, 4 + (i % 6)), row('orders', 'lighthouse')],
    nothing: (i) => [`zq${i}`, '//*[.="No order found"]'],
  });
  await measure('Orders: pending, and all again', async (i) => {
    await desk.waitForTimeout(150);
    return drawn(
      desk,
      { click: `//*[@aria-label="Status"]//input[@value="${i % 2 ? '' : 'pending'}"]` },
      i % 2 ? row('orders') : row('orders', 'Pending'),
    );
  });

  await openPage(desk, 'Customers');
  await searches(desk, 'Search customers', {
    name: (i) => [`customer ${digits(30_000 + i, 7)}`, row('customers', `Customer ${digits(30_000 + i, 7)}`)],
    'name with accents': (i) => [`zoe akerstrom ${digits(42 + 500 * i, 7)}`, row('customers', digits(42 + 500 * i, 7))],
    email: (i) => [`c${40_000 + i}@example.com`, row('customers', `c${40_000 + i}@`)],
    'beginning of many': (i) => [`customer 00${i + 10}`, row('customers', `Customer 00${i + 10}`)],
    nothing: (i) => [`zq${i}`, '//*[.="No customer found"]'],
  });

  await openPage(desk, 'Catalog');
  await searches(desk, 'Search catalog', {
    name: (i) => [`product ${digits(5000 + i, 6)}`, row('catalog', `Product ${digits(5000 + i, 6)}`)],
    SKU: (i) => [`SKU-${digits(6000 + i, 6)}-M`, row('catalog', `Product ${digits(6000 + i, 6)}`)],
    'rare word': (i) => [`lighthouse ${digits(17 + 1000 * (i % 10), 6)}`, row('catalog', 'lighthouse')],
    nothing: (i) => [`zq${i}`, '//*[.="No product found"]'],
  });

  await openPage(desk, 'Counter');
  await searches(desk, 'Search products', {
    name: (i) => [`product ${digits(7000 + i, 6)}`, row('products', `Product ${digits(7000 + i, 6)}`)],
    SKU: (i) => [`SKU-${digits(8000 + i, 6)}-S`, row('products', `Product ${digits(8000 + i, 6)}`)],
  });
});

test('opening one of many @figures', async ({ desk }) => {
  await openPage(desk, 'Orders');
  await measure('Orders: one of them', async (i) => {
    await desk.getByRole('searchbox', { name: 'Search orders' }).fill(`#W${digits(150_000 + i, 7)}`);
    await expect(desk.getByRole('grid').getByRole('row').first()).toContainText(`#W${digits(150_000 + i, 7)}`);
    const took = await drawn(desk, { click: row('orders') }, `//section[@aria-label="Order"]//td`);
    await openPage(desk, 'Counter');
    await openPage(desk, 'Orders');
    return took;
  });
});

test('reports @figures', async ({ desk }) => {
  const choose = async (label: string) => {
    await desk.getByRole('combobox', { name: 'Period' }).click();
    await expect(desk.getByRole('option', { name: label, exact: true })).toBeVisible();
    return `//*[@role="option"][.="${label}"]`;
  };
  for (const part of ['Sales', 'Top products']) {
    const figures = `(//section[@aria-label="${part}"]//tbody/tr)[1]`;
    for (const period of ['Last month', 'Last year']) {
      await measure(`Reports: ${part}, ${period.toLowerCase()}`, async () => {
        await desk.reload();
        await openPage(desk, 'Reports');
        await desk.getByRole('tab', { name: part }).click();
        await expect(desk.locator(`xpath=${figures}`)).toBeVisible();
        const other = period === 'Last month' ? 'Last year' : 'Last month'; // a week may have nothing yet
        await desk.locator(`xpath=${await choose(other)}`).click();
        await desk.waitForTimeout(500);
        const before = await desk.locator(`xpath=${figures}`).textContent();
        return drawn(desk, { click: await choose(period) }, `${figures}[not(. = "${before}")]`);
      });
    }
  }
});
