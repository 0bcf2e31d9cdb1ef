// @vitest-environment jsdom
import { MantineProvider, TextInput } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ErrorAt, FieldErrors, type Refused } from './FieldErrors';
import { draftOf, type Field } from './fields';
import { TextFields } from './TextFields';

const fields: readonly Field<'name' | 'email'>[] = [
  { name: 'name', label: 'Name' },
  { name: 'email', label: 'Email' },
];
const address: readonly Field<'city'>[] = [{ name: 'city', label: 'City' }];

const maxLengthAt = (pointer: string) => (pointer === '/address/city' ? 80 : undefined);

function Form({ error, withAddress = true }: { error: Refused | null; withAddress?: boolean }) {
  return (
    <MantineProvider env="test">
      <form>
        <FieldErrors call={{ capability: 'x.add', error, maxLengthAt }}>
          <TextFields at="" fields={fields} draft={draftOf(fields)} onChange={() => undefined} />
          {withAddress && (
            <TextFields at="/address" fields={address} draft={draftOf(address)} onChange={() => undefined} />
          )}
          <ErrorAt pointer="/price">
            <TextInput label="Price" />
          </ErrorAt>
        </FieldErrors>
      </form>
    </MantineProvider>
  );
}

const fieldError = (path: string, words: string) => ({ path, words, sentence: `${path} ${words}.` });
const email = fieldError('/email', 'must be an e-mail address');
const city = fieldError('/address/city', 'is needed');
const refused = (...fieldErrors: Refused['fieldErrors'] & object): Refused => ({ message: 'Refused.', fieldErrors });

/** The description of a field for a screen reader. */
function saidOf(label: string): string {
  const ids = screen.getByLabelText(label).getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}
const below = () => screen.queryByRole('alert')?.textContent;

afterEach(cleanup);

describe('what does not fit', () => {
  it('stands at its field, which has the focus, and not below', () => {
    const { rerender } = render(<Form error={null} />);
    rerender(<Form error={refused(email)} />);
    expect(saidOf('Email')).toBe('Must be an e-mail address');
    expect(saidOf('Name')).toBe('');
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
    expect(below()).toBeUndefined();
  });
  it('stands at a field within a part, and at each of several', () => {
    render(<Form error={refused(email, city)} />);
    expect([saidOf('Email'), saidOf('City')]).toEqual(['Must be an e-mail address', 'Is needed']);
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  });
  it('stands at the field of what is within it', () => {
    render(<Form error={refused(fieldError('/price/amount', 'must be at least 0'))} />);
    expect(saidOf('Price')).toBe('Must be at least 0');
  });
  it('comes with what mends it where it is one', () => {
    const one = { path: '/price', words: 'There is no currency X.', sentence: 'There is no currency X.' };
    render(<Form error={{ ...refused(one), recoveryHint: 'Use EUR.' }} />);
    expect(saidOf('Price')).toBe('There is no currency X. Use EUR.');
    expect(below()).toBeUndefined();
  });
  it('stands below where no field is there for it', () => {
    render(<Form error={{ ...refused(city), recoveryHint: 'Use a map.' }} withAddress={false} />);
    expect(below()).toBe('Refused.Use a map.');
  });
  it('stands below as far as no field is there for it', () => {
    render(<Form error={refused(email, city)} withAddress={false} />);
    expect(saidOf('Email')).toBe('Must be an e-mail address');
    expect(below()).toBe('/address/city is needed.');
  });
  it('is below where it is about no field at all', () => {
    render(<Form error={{ message: 'Too late.', recoveryHint: 'Begin again.' }} />);
    expect(below()).toBe('Too late.Begin again.');
    expect(document.querySelector('[aria-invalid=true]')).toBeNull();
  });

  it('takes as many characters as its capability does', () => {
    render(<Form error={null} />);
    const most = (name: string) => screen.getByRole('textbox', { name }).getAttribute('maxlength');
    expect([most('City'), most('Email'), most('Price')]).toEqual(['80', null, null]);
  });
});
