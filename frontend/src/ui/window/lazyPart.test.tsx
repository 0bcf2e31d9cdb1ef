// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { type ComponentType, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Boundary } from './Boundary';
import { lazyPart } from './lazyPart';

vi.mock('../page/Loading', () => ({ Loading: ({ label }: { label: string }) => <p>{label}</p> }));
afterEach(cleanup);

function Greeting({ name }: { name: string }) {
  const [first] = useState(name);
  return (
    <p>
      Hello {name}, once {first}
    </p>
  );
}
type Code = { default: ComponentType<{ name: string }> };

it('says what is awaited, then is the part, and is drawn anew as the same part', async () => {
  const Part = lazyPart(
    async (): Promise<Code> => ({ default: Greeting }),
    () => 'Opening',
  );
  const { rerender } = render(<Part name="Ann" />);
  screen.getByText('Opening');
  await screen.findByText('Hello Ann, once Ann');
  rerender(<Part name="Bo" />);
  screen.getByText('Hello Bo, once Ann');
});

it('is there at once when its code was fetched ahead, and fetched once', async () => {
  const load = vi.fn(async (): Promise<Code> => ({ default: Greeting }));
  const Part = lazyPart(load);
  await Part.fetch();
  render(<Part name="Ann" />);
  screen.getByText('Hello Ann, once Ann');
  await Part.fetch();
  expect(load).toHaveBeenCalledTimes(1);
});

it('fails as the part when its code cannot be had, and is fetched again when it is drawn anew', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  let there = false;
  const Part = lazyPart(async (): Promise<Code> => {
    if (!there) throw new Error('gone');
    return { default: Greeting };
  });
  const fallback = ({ details, retry }: { details: string; retry: () => void }) => (
    <button type="button" onClick={retry}>
      {details.split('\n')[0]}
    </button>
  );
  render(
    <Boundary of="part" fallback={fallback}>
      <Part name="Ann" />
    </Boundary>,
  );
  const again = await screen.findByText('part: Error: gone');
  there = true;
  again.click();
  await screen.findByText('Hello Ann, once Ann');
});
