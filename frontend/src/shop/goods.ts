import { useCapability } from '../asking/useCapability';
import { addNames, type Names } from '../door/namesById';
import type { Json } from '../door/wire';
import type { RowChange } from '../kit/rows/rows';
import { references } from './answers';

/** The names of the variants in an order, by id: its rows carry ids alone. */
export function useGoodsIn(facts: object | undefined, rows: readonly RowChange[] = []): Names {
  const id = facts && 'orderId' in facts && typeof facts.orderId === 'string' ? facts.orderId : undefined;
  const nameless = rows.some(({ table }) => table === 'variants') && !rows.some(({ table }) => table === 'order_lines');
  const options = { source: 'GoodsName', enabled: id !== undefined && nameless };
  const { data } = useCapability('order.get', { orderId: id ?? '' }, options);
  return id !== undefined && nameless && data?.id === id ? addNames({}, data as unknown as Json, references) : {};
}
