import { Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatCount } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useCurrency } from '../../shop/currency';
import { EditableRows, omitText } from '../../ui/form/EditableRows';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { PiecesInput } from '../../ui/form/PiecesInput';
import { useForm } from '../../ui/form/useForm';
import { useRows, withRow } from '../../ui/form/useRows';
import { useDialogScans } from '../../ui/keys/useScans';
import { choicesFor } from '../../ui/list/choices';
import { LookupSelect, useLookup } from '../../ui/list/LookupSelect';
import { beep } from '../../ui/window/beep';
import classes from './Catalog.module.css';
import { linesOf, meantBy, type Receivable, type ReceivedLine, receivableName, receivables } from './receiving';

const source = 'ReceiveStock';

/** Puts a delivery into stock: lines are scanned or searched, quantities and costs typed. */
export function ReceiveStock({ onClose }: { onClose: () => void }) {
  const currency = useCurrency() ?? '';
  const { rows, change, changeAll, omit } = useRows<ReceivedLine & { id?: string }>('received lines', []);
  const latest = useRef(rows); // two codes may be answered before either is drawn
  useEffect(() => {
    latest.current = rows;
  }, [rows]);
  const { values, change: write } = useForm('received reference', { reference: '' });
  const { reference } = values;
  const [said, setSaid] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [entered, setEntered] = useState<string>();
  const receive = useInvoke('catalog.receiveStock', { source, once: 'received lines' });

  // The quantity of a line that was chosen by name is typed next.
  useEffect(() => {
    if (entered === undefined) return;
    const at = rows.findIndex(({ variantId }) => variantId === entered);
    list.current?.querySelectorAll('li')[at]?.querySelector('input')?.focus();
    setEntered(undefined);
  }, [entered, rows]);

  const put = (line: Receivable): boolean => {
    const name = receivableName(line);
    const { id, stock } = line.variant;
    if (stock === undefined) {
      setSaid(i18n._('{name} is not counted.', { name }));
      return false;
    }
    const there = latest.current.find(({ variantId }) => variantId === id);
    const quantity = (there?.quantity ?? 0) + 1;
    latest.current = there
      ? latest.current.map((one) => (one === there ? { ...one, quantity } : one))
      : withRow(latest.current, { variantId: id, name, quantity, cost: undefined });
    const next = latest.current;
    changeAll(() => next);
    setSaid(i18n._('{quantity} of {name}', { quantity: formatCount(quantity), name }));
    return true;
  };
  const backToSearch = (event: KeyboardEvent) => {
    const field = event.target as Element;
    if (event.key !== 'Enter' || !field.matches('input')) return;
    event.preventDefault();
    search.current?.focus();
  };
  const empty = rows.some(({ quantity }) => quantity < 1);

  return (
    <FormDialog
      title={i18n._('Receive stock')}
      submit={i18n._('Receive it')}
      size="lg"
      disabledReason={
        rows.length === 0
          ? i18n._('Scan or search what arrived.')
          : empty
            ? i18n._('Type how many of each arrived.')
            : undefined
      }
      call={receive}
      onSubmit={() =>
        receive.mutate(
          { lines: linesOf(rows, currency), reference: reference.trim() || undefined },
          { onDone: onClose },
        )
      }
      onClose={onClose}
    >
      <FindVariant
        input={search}
        onScanned={put}
        onChosen={(line) => put(line) && setEntered(line.variant.id)}
        onUnknown={setSaid}
      />
      <Text size="xs" c="dimmed" role="status" className={classes.said}>
        {said}
      </Text>
      <div ref={list} onKeyDownCapture={backToSearch}>
        <EditableRows
          label={i18n._('What arrived')}
          className={classes.received}
          rows={rows}
          omitText={({ name }) => omitText(name)}
          onOmit={omit}
        >
          {({ row, name, quantity, cost }, index) => (
            <>
              <Text size="sm" className={classes.receivedName}>
                {name}
              </Text>
              <ErrorAt pointer={`/lines/${index}/quantity`}>
                <PiecesInput
                  label={i18n._('Pieces')}
                  aria-label={i18n._('Pieces of {name}', { name })}
                  value={quantity}
                  onChange={(pieces) => change(row, { quantity: pieces })}
                />
              </ErrorAt>
              <ErrorAt pointer={`/lines/${index}/cost`}>
                <MoneyInput
                  label={i18n._('Cost of one')}
                  currency={currency}
                  value={cost}
                  onChange={(next) => change(row, { cost: next })}
                />
              </ErrorAt>
            </>
          )}
        </EditableRows>
      </div>
      <ErrorAt pointer="/reference">
        <TextInput
          label={i18n._('Reference')}
          placeholder={i18n._('Number of the delivery note, for example')}
          value={reference}
          onChange={(event) => write({ reference: event.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}

interface FindVariantProps {
  input: React.RefObject<HTMLInputElement | null>;
  /** Called with what a code means; false: it was not taken. */
  onScanned: (line: Receivable) => boolean;
  onChosen: (line: Receivable) => void;
  onUnknown: (said: string) => void;
}

/** Finds a variant by its name in a list, or by a code and Enter; what is scanned is heard in any field. */
function FindVariant({ input, onScanned, onChosen, onUnknown }: FindVariantProps) {
  const { words, query, field, choose } = useLookup();
  const lookUp = useInvoke('catalog.search', { source });
  const told = useRef(onScanned); // a second scan may come before the first is answered
  useEffect(() => {
    told.current = onScanned;
  });
  const { data, error, isPlaceholderData } = useCapability(
    'catalog.search',
    query ? { query, limit: 20 } : { limit: 20 },
    { source },
  );
  const found = data && receivables(data);
  const answered = query === words && !isPlaceholderData;
  const options = found?.map((line) => ({
    value: line.variant.id,
    label: receivableName(line),
    disabled: line.variant.stock === undefined,
  }));
  const look = (code: string) =>
    lookUp.mutate(
      { query: code, limit: 20 },
      {
        onSuccess: (answer) => {
          const line = meantBy(receivables(answer.data));
          if (!line) onUnknown(i18n._('No product has the code {code}.', { code }));
          beep(line !== undefined && told.current(line));
        },
        onError: ({ message }) => onUnknown(message),
      },
    );
  useDialogScans(look);
  return (
    <LookupSelect
      ref={input}
      data-autofocus
      label={i18n._('Product')}
      description={i18n._('Scan its code, or search by name, SKU or barcode')}
      {...field}
      data={choicesFor(answered ? options : undefined, { words })}
      nothingFoundMessage={error?.message ?? (answered ? i18n._('No product found') : i18n._('Searching'))}
      value={null}
      onEnter={look}
      onChange={(value) => {
        choose(null);
        field.onSearchChange('');
        const line = found?.find(({ variant }) => variant.id === value);
        if (line) onChosen(line);
      }}
    />
  );
}
