// @vitest-environment jsdom
import { act, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeBackend } from './fake/backend';
import { show } from './fake/show';
import { ProductPicture } from './ProductPicture';

describe('the picture of a product', () => {
  const pictures = () => [...document.querySelectorAll('img')].map(({ src }) => src.replace(/.*,/, ''));
  const settled = () => act(() => new Promise((later) => setTimeout(later, 50)));

  it('is read once, whatever changes in the catalog, until there is another one', async () => {
    const backend = new FakeBackend();
    const read: unknown[] = [];
    backend.offer({
      ...{ name: 'catalog.getPicture', title: 'Get a picture', side_effect: 'pure' },
      run: ({ args }) => ({ jpeg: `picture${read.push(args)}` }),
    });
    const list = (picture: string) => (
      <>
        <ProductPicture product={{ id: 'prd_1', picture }} />
        <ProductPicture product={{ id: 'prd_2', picture: 'b1' }} />
      </>
    );
    const { put } = show(backend, list('a1'));
    await waitFor(() => expect(pictures()).toEqual(['picture1', 'picture2']));
    act(() => backend.emit('bus', { type: 'stateChange', domain: 'catalog', ids: [] })); // a sale: stock changed
    await settled();
    expect(read).toHaveLength(2);
    put(list('a2'));
    await waitFor(() => expect(pictures()).toEqual(['picture3', 'picture2']));
    expect(read[2]).toMatchObject({ productId: 'prd_1' });
  });
});
