// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { useContext } from 'react';
import { expect, it, vi } from 'vitest';
import type { Manifest } from '../../bridge/manifest';
import { KnowingRecords, KnownRecords } from './KnownRecords';
import type { Thread } from './thread';

const kind = (type: string) => ({ type, title: type, link: `${type}s/{id}`, sources: [`${type}.list#/${type}s`] });
const manifest = { capabilities: [], entities: [kind('page'), kind('note')] } as unknown as Manifest;
vi.mock('../../queries/useManifest', () => ({ useManifest: () => manifest }));

function Words() {
  return <p>{[...useContext(KnownRecords)].map(([word, { entity }]) => `${word} ${entity}`).join(', ')}</p>;
}

it('a word links to the record that has it, and to none where two kinds have it', () => {
  const found = (type: string, ...ids: string[]) => ({
    ...{ kind: 'call', id: type + ids, capability: `${type}.list` },
    found: { [`${type}s`]: ids.map((id) => ({ id })) },
  });
  const items = [
    found('page', 'a1', '#7'),
    found('note', 'a1', 'b2'),
    found('page', 'a1'),
  ] as unknown as Thread['items'];
  render(
    <KnowingRecords items={items}>
      <Words />
    </KnowingRecords>,
  );
  expect(screen.getByText(/page/).textContent).toBe('#7 page, 7 page, b2 note');
});
