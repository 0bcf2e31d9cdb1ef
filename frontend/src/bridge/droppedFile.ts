import { i18n } from '../language/i18n';
import { BusError } from './error';

/** The largest dropped file: its content goes through the page. A larger one has to be picked. */
export const MAX_DROPPED_MB = 16;

/** So many bytes at a time: a call takes no more arguments, and three are four letters. */
const PIECE = 3 * 8192;

/** The bytes of a file, in base64. */
export async function bytesOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (!bytes) {
    const message = i18n._('{file} cannot be read.', { file: file.name });
    throw new BusError({ code: 'PRECONDITION_FAILED', message, retryable: false });
  }
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += PIECE) {
    const piece = new Uint8Array(bytes, at, Math.min(PIECE, bytes.byteLength - at));
    pieces.push(btoa(String.fromCharCode(...piece)));
  }
  return pieces.join('');
}
