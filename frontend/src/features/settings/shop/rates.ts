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
