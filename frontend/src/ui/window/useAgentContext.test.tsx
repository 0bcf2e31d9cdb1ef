// @vitest-environment jsdom
import { MantineProvider, Radio, TextInput } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { Activity } from 'react';
import { afterEach, expect, it } from 'vitest';
import { ErrorAt, FieldErrors, type Refused } from '../form/FieldErrors';
import { TextFields } from '../form/TextFields';
import { openPages, useAgentContext } from './useAgentContext';

const draft = { name: 'Zyx Unsaid', email: 'zyx@', city: '' };
const fields = [
  { name: 'name', label: 'Name', required: true },
  { name: 'email', label: 'Email' },
  { name: 'city', label: 'City', required: true },
] as const;
const refused: Refused = {
  message: 'Refused: zyx@.',
  fieldErrors: [{ path: '/email', words: 'zyx@ is no address', sentence: 'zyx@ is no address.' }],
};

function Page({ id }: { id: string }) {
  useAgentContext(() => ({ step: 'orders', ids: [id] }));
  return null;
}

function Window({ id, open = true, error = null }: { id: string; open?: boolean; error?: Refused | null }) {
  return (
    <MantineProvider env="test">
      <Page id={id} />
      <Activity mode={open ? 'visible' : 'hidden'}>
        <FieldErrors call={{ capability: 'customer.create', error }}>
          <TextFields at="" fields={fields} draft={draft} onChange={() => undefined} />
          <ErrorAt pointer="/kind">
            <Radio.Group value={null}>
              <Radio value="Zyx" />
            </Radio.Group>
          </ErrorAt>
          <ErrorAt pointer="/price">
            <TextInput error="not an amount" defaultValue="Zyx" />
          </ErrorAt>
        </FieldErrors>
      </Activity>
    </MantineProvider>
  );
}

const told = () => openPages().toSorted((a, b) => b.step.localeCompare(a.step));

afterEach(cleanup);

it('tells the record that is open and the fields that are wrong, never what stands in them', () => {
  const { rerender, unmount } = render(<Window id="#W1" />);
  expect(told()).toEqual([
    { step: 'orders', ids: ['#W1'] },
    { step: 'customer.create', wrong: ['/city', '/price'], empty: ['/city', '/kind'] },
  ]);
  rerender(<Window id="#W2" error={refused} />);
  expect(told()[0]?.ids).toEqual(['#W2']);
  expect(told()[1]?.wrong).toEqual(['/email', '/email', '/city', '/price']);
  expect(JSON.stringify(told()).toLowerCase()).not.toContain('zyx');
  rerender(<Window id="#W2" open={false} />);
  expect(told()).toEqual([{ step: 'orders', ids: ['#W2'] }]);
  unmount();
  expect(told()).toEqual([]);
});

it('tells of one page what several parts of it tell, each record once', () => {
  render(
    <>
      <Page id="#W1" />
      <Page id="#W2" />
      <Page id="#W1" />
    </>,
  );
  expect(openPages()).toEqual([{ step: 'orders', ids: ['#W1', '#W2'] }]);
});
