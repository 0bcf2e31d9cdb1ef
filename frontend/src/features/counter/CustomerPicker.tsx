import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import type { Success } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { usePages } from '../../queries/usePages';
import { ComboboxInput } from '../../ui/list/ComboboxInput';
import row from '../../ui/list/Row.module.css';
import { useListCursor } from '../../ui/list/useListCursor';
import { useTyped } from '../../ui/list/useTyped';
import { VirtualListbox } from '../../ui/list/VirtualListbox';
import { Dialog } from '../../ui/page/Dialog';
import { Empty, Problem } from '../../ui/page/Note';
import classes from './CustomerPicker.module.css';

const LIST = 'customers-found';
const source = { source: 'CustomerPicker' };

type Customer = Response<'customer.search'>['customers'][number];

const customersOf = (page: { customers: Customer[] }) => page.customers;
const idOf = (customer: Customer) => customer.id;
const listing = { ...source, rowsOf: customersOf, keyOf: idOf };
const rowOf = ({ name, email, phone }: Customer) => (
  <div className={classes.customer}>
    <div className={`${row.cell} ${row.name}`}>{name}</div>
    <div className={`${row.cell} ${row.minor}`}>{[email, phone].filter(Boolean).join(' · ')}</div>
  </div>
);

interface CustomerPickerProps {
  /** How the goods in the cart are got, whoever is chosen. */
  fulfilment?: Response<'cart.getSummary'>['fulfilment'];
  onClose: () => void;
  /** Called when a customer was chosen, with what was typed since: the next thing is a product. */
  onChosen: (typed: string) => void;
  /** Adds a customer by the name that was typed; undefined where one may not. */
  onNew?: (name: string) => void;
}

/** Finds a customer and makes the cart theirs. */
export function CustomerPicker({ fulfilment, onClose, onChosen, onNew }: CustomerPickerProps) {
  const [text, setText] = useState('');
  const [query, type] = useTyped(text, setText);
  const pages = usePages('customer.search', query ? { query, limit: 50 } : { limit: 50 }, listing);
  const lookUp = useInvoke('customer.search', source);
  const setCustomer = useInvoke('cart.setCustomer', source);
  const customers = pages.items;

  // What stood there when somebody was chosen, until the answer: what is typed on is for what comes next.
  const asked = useRef<string>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const typed = () => input.current?.value ?? '';

  const chosen = () => {
    const before = asked.current ?? '';
    onClose();
    onChosen(typed().startsWith(before) ? typed().slice(before.length) : '');
  };
  const notChosen = () => {
    asked.current = undefined;
    type(typed());
  };
  const take = (customerId: string) => {
    asked.current ??= typed();
    setCustomer.mutate({ customerId, fulfilment }, { onSuccess: chosen, onError: notChosen });
  };
  const choose = (index: number) => customers[index] && take(customers[index].id);
  const cursor = useListCursor(customers, idOf, choose, 0);

  // The list may still be the one for an earlier text: Enter must never take a
  // result of another search.
  const settled = query === text.trim() && pages.isSuccess && pages.fresh;
  const takeOnly = ({ data }: Success<Response<'customer.search'>>) => {
    const [first, second] = data.customers;
    if (first && !second) take(first.id);
    else notChosen();
  };
  const enter = () => {
    asked.current = text;
    lookUp.mutate({ query: text.trim(), limit: 2 }, { onSuccess: takeOnly, onError: notChosen });
  };
  const failure = setCustomer.error ?? lookUp.error ?? pages.error;

  return (
    <Dialog onClose={onClose} title={i18n._('Choose customer')} size="md" padding="md">
      <ComboboxInput
        ref={input}
        data-autofocus
        autoFocus // Mantine's trap would come some time later, and what is typed until then would be lost
        aria-label={i18n._('Search customers')}
        placeholder={i18n._('Name, e-mail or phone')}
        list={LIST}
        cursor={cursor}
        value={text}
        onChange={(event) => {
          if (asked.current !== undefined) return setText(event.currentTarget.value);
          type(event.currentTarget.value);
          cursor.reset(0);
        }}
        onKeyDown={(event) => {
          const answered = asked.current === undefined;
          if (event.key !== 'Enter' || (settled && answered)) return cursor.onKeyDown(event);
          event.preventDefault();
          if (answered) enter();
        }}
      />
      {onNew && (
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          leftSection={<IconUserPlus size={14} aria-hidden />}
          onClick={() => onNew(text.trim())}
        >
          {text.trim() === '' ? i18n._('New customer…') : i18n._('New customer “{name}”…', { name: text.trim() })}
        </Button>
      )}
      {failure && <Problem message={failure.message} />}
      <div className={classes.list}>
        {pages.isSuccess && customers.length === 0 && (
          <Empty title={i18n._('No customer found')} missing={pages.list.notFound}>
            {i18n._('Try the e-mail or phone.')}
          </Empty>
        )}
        <VirtualListbox
          id={LIST}
          label={i18n._('Customers found')}
          items={customers}
          keyOf={idOf}
          rowHeight={44}
          cursor={cursor}
          focusable={false}
          onChoose={choose}
          onShow={pages.list.show}
          renderRow={rowOf}
        />
      </div>
    </Dialog>
  );
}
