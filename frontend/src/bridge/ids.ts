/**
 * A new id (UUID v7): the moment in milliseconds, then chance, so that ids made one
 * after the other lie beside each other in the journal. crypto.randomUUID gives
 * no such ids, and is missing where the page's scheme is not a secure one.
 */
export function newId(now: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now / 2 ** 32)); // 48 bits in two parts
  view.setUint32(2, now % 2 ** 32);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
