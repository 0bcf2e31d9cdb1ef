import type { Json } from '../../bus/wire';
import { formatMoney, humanize } from '../../ui/format';

interface Line {
  label: string;
  text: string;
}

/** Every value of what is sent, by its place in words: nothing is left out but what is empty. */
export function linesOf(data: Json | undefined, place: readonly string[] = []): Line[] {
  if (data === null || data === undefined || data === '') return [];
  if (Array.isArray(data)) {
    return data.flatMap((item, index) => linesOf(item, data.length === 1 ? place : [...place, String(index + 1)]));
  }
  if (typeof data === 'object') {
    const { amount, currency } = data;
    if (typeof amount === 'number' && typeof currency === 'string') {
      return [{ label: labelOf(place), text: formatMoney({ amount, currency }) }];
    }
    return Object.entries(data).flatMap(([name, part]) => linesOf(part, [...place, name]));
  }
  return [{ label: labelOf(place), text: typeof data === 'boolean' ? (data ? 'yes' : 'no') : String(data) }];
}

function labelOf(place: readonly string[]): string {
  const words = place.map(humanize).join(' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
