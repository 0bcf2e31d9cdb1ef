/** Parts per million as percent, the way it is typed: 80000 is "8", 55000 is "5.5". */
export function percentOf(ppm: number): string {
  const whole = Math.floor(ppm / 10_000);
  const part = String(ppm % 10_000)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return part === '' ? String(whole) : `${whole}.${part}`;
}

/** Typed percent in parts per million; undefined for any other text. A comma serves as the point. */
export function ppmOf(percent: string): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,3})(?:[.,](\d{0,4}))?$/.exec(percent.trim()) ?? [];
  return whole === '' ? undefined : Number(whole) * 10_000 + Number(part.padEnd(4, '0'));
}

/** An id for something new, made of its name and unlike those that are taken: "Express 2 days" is express-2-days. */
export function idFor(name: string, taken: readonly string[]): string {
  const plain =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'new';
  const free = (id: string) => !taken.includes(id);
  if (free(plain)) return plain;
  for (let n = 2; ; n += 1) if (free(`${plain}-${n}`)) return `${plain}-${n}`;
}
