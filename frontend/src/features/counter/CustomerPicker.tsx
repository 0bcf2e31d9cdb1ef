import { Modal, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../bus/client';
import { useInvoke, usePages } from '../../bus/hooks';
import type { Success } from '../../bus/wire';
import { Empty, Problem } from '../../ui/Note';
import { useFocusBack } from '../../ui/useFocusBack';
import { useListCursor } from '../../ui/useListCursor';
import { useTyped } from '../../ui/useTyped';
import { rowId, VirtualListbox } from '../../ui/VirtualListbox';
import classes from './CustomerPicker.module.css';

const LIST = 'customers';
const source = { source: 'CustomerPicker' };

interface CustomerPickerProps {
  onClose: () => void;
  /** Called when a customer was chosen: the next thing is a product. */
  onChosen: () => void;
}

/** Finds a customer and makes the cart theirs. */
export function CustomerPicker({ onClose, onChosen }: CustomerPickerProps) {
  const [text, setText] = useState('');
  const query = useTyped(text, 120);
  const pages = usePages('customer.search', query ? { query, limit: 50 } : { limit: 50 }, source);
  const lookUp = useInvoke('customer.search', source);
  const setCustomer = useInvoke('cart.setCustomer', source);
  const customers = pages.data?.pages.flatMap((page) => page.customers) ?? [];

  useFocusBack();

  const chosen = () => {
    onClose();
    onChosen();
  };
  const take = (customerId: string) => setCustomer.mutate({ customerId }, { onSuccess: chosen });
  const choose = (index: number) => customers[index] && take(customers[index].id);
  const cursor = useListCursor(customers.length, choose, 0);

  // The list may still be the one for an earlier text: Enter must never take a
  // customer nobody was looking for.
  const settled = query === text.trim() && pages.isSuccess && !pages.isPlaceholderData;
  const takeOnly = ({ data }: Success<Response<'customer.search'>>) => {
    const [first, second] = data.customers;
    if (first && !second) take(first.id);
  };
  const enter = () => lookUp.mutate({ query: text.trim(), limit: 2 }, { onSuccess: takeOnly });
  const failure = setCustomer.error ?? lookUp.error ?? pages.error;

  return (
    <Modal opened onClose={onClose} title="Choose customer" size="md" padding="md">
      <TextInput
        data-autofocus
        aria-label="Search customers"
        placeholder="Name, e-mail or phone"
        role="combobox"
        aria-expanded
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={cursor.active >= 0 ? rowId(LIST, cursor.active) : undefined}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          cursor.set(0);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || settled) return cursor.onKeyDown(event);
          event.preventDefault();
          enter();
        }}
      />
      {failure && <Problem message={failure.message} />}
      <div className={classes.list}>
        {pages.isSuccess && customers.length === 0 && <Empty title="No customer found">Try the e-mail or phone.</Empty>}
        <VirtualListbox
          id={LIST}
          label="Customers found"
          items={customers}
          keyOf={(customer) => customer.id}
          rowHeight={44}
          cursor={cursor}
          focusable={false}
          onChoose={choose}
          onEnd={pages.hasNextPage ? pages.fetchNextPage : undefined}
          renderRow={(customer) => (
            <div className={classes.customer}>
              <Text fw={500} truncate>
                {customer.name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {[customer.email, customer.phone].filter(Boolean).join(' · ')}
              </Text>
            </div>
          )}
        />
      </div>
    </Modal>
  );
}
