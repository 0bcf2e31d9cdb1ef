import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the files of a flow, removed when the flow ends. */
export async function withFiles(
  files: Readonly<Record<string, string | Buffer>>,
  run: (path: (name: string) => string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'flow-'));
  const path = (name: string) => join(folder, name);
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content);
    await run(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
