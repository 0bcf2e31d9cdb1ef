// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { FakeBackend } from '../shop/fake/backend';
import { show } from '../shop/fake/show';
import { useRecordSearch } from './useRecordSearch';

function Search() {
  const { groups, busy } = useRecordSearch('ana', 'Test');
  return <p>{busy ? 'busy' : `found ${groups.length}`}</p>;
}

it('asks a list once that has records of two kinds', async () => {
  const backend = new FakeBackend();
  const manifest = backend.manifest.bind(backend);
  backend.manifest = async (json) => {
    const told = JSON.parse(await manifest(json));
    const entities = told.entities?.flatMap((one: object, at: number) => [one, { ...one, type: `other ${at}` }]);
    return JSON.stringify({ ...told, ...(entities && { entities }) });
  };
  const warned = vi.spyOn(console, 'warn'); // of the library, for a query that is there twice
  show(backend, <Search />);
  await screen.findByText(/found [1-9]/);
  expect(warned).not.toHaveBeenCalled();
});
