// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FakeBackend } from '../../../shop/fake/backend';
import { show } from '../../../shop/fake/show';
import { Drafts } from './Drafts';

it('keeps what a merged draft was to send until it is removed, though the page is left', async () => {
  const backend = new FakeBackend();
  let drafts = [{ draftId: 'd1', openedAt: 0, endsAt: 1 }];
  const outside = ['email.sendReceipt', 'webhook.trigger'].map((capability) => ({ capability, arguments: {} }));
  backend.replace('draft.list', () => ({ drafts }));
  backend.replace('draft.get', () => ({ changes: [{ requestId: 'r1', summary: 'Order 1' }], models: [], outside }));
  backend.replace('draft.merge', () => {
    drafts = [];
    return {};
  });
  const { user, put } = show(backend, <Drafts />);
  await screen.findByText('Order 1');
  await user.click(screen.getByRole('button', { name: 'Merge…' }));
  const left = () => screen.findByRole('list', { name: 'What was to leave this computer' });
  expect(within(await left()).getAllByRole('listitem')).toHaveLength(2);
  put(<p>Another page</p>);
  put(<Drafts />);
  const [first] = within(await left()).getAllByRole('button', { name: 'Remove' });
  await user.click(first as HTMLElement);
  expect(within(await left()).getAllByRole('listitem')).toHaveLength(1);
  expect((await left()).textContent).toContain('webhook.trigger');
});
