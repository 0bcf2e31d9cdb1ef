import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { missingText } from '../../../language/missing';
import { useCapability } from '../../../queries/useCapability';
import { type Choice, choicesFor } from '../../../ui/list/choices';
import { LookupSelect, useLookup } from '../../../ui/list/LookupSelect';
import { lineName } from '../items';

/** The variants on sale as choices with prices; a code that was typed whole means one of them. */
const choicesOf = ({ products }: Response<'catalog.search'>): Choice[] =>
  products.flatMap(({ name, matchedVariantId, variants }) =>
    variants
      .filter(({ id, available }) => available && (!matchedVariantId || id === matchedVariantId))
      .map(({ id, label, price }) => ({ value: id, label: `${lineName({ name, label })} · ${formatMoney(price)}` })),
  );

/** A search field for one more product of an order, by name, SKU or barcode. */
export function ProductField({ onChoose }: { onChoose: (variant: Choice) => void }) {
  const { words, query, field } = useLookup();
  const { data, error, isPlaceholderData } = useCapability(
    'catalog.search',
    { query: query || undefined, limit: 20 },
    { source: 'OrderActions' },
  );
  const found = query === words && data && !isPlaceholderData ? choicesOf(data) : undefined;
  const nothing = found ? (missingText(data?.notFound) ?? i18n._('No product found')) : i18n._('Searching');
  return (
    <LookupSelect
      label={i18n._('Another product')}
      placeholder={i18n._('Name, SKU or barcode')}
      {...field}
      data={choicesFor(found, { words })}
      nothingFoundMessage={error?.message ?? nothing}
      value={null}
      onChange={(_, option) => option && onChoose({ value: option.value, label: option.label })}
    />
  );
}
