import type { ChatUpdate } from '../../bridge/chat';

/** Calls once: with the next frame, or soon where none is drawn, as in a window that is minimised. */
function nextFrame(call: () => void): void {
  const late = setTimeout(() => {
    cancelAnimationFrame(frame);
    call();
  }, 100);
  const frame = requestAnimationFrame(() => {
    clearTimeout(late);
    call();
  });
}

/** Hands updates on in their order: pieces of text with the next frame, everything else at once. */
export class Frames {
  readonly #apply: (updates: readonly ChatUpdate[]) => void;
  #queue: ChatUpdate[] = [];
  #due = false;
  #held = false;

  constructor(apply: (updates: readonly ChatUpdate[]) => void) {
    this.#apply = apply;
  }

  add(update: ChatUpdate): void {
    const last = this.#queue.at(-1);
    const goesOn = update.type === 'delta' && last?.type === 'delta' && last.message_id === update.message_id;
    if (goesOn) this.#queue[this.#queue.length - 1] = { ...update, text: (last.text ?? '') + (update.text ?? '') };
    else this.#queue.push(update);
    if (this.#held) return;
    if (update.type !== 'delta') {
      this.#flush();
    } else if (!this.#due) {
      this.#due = true;
      nextFrame(() => this.#flush());
    }
  }

  /** Keeps updates back until they are released. */
  hold(): void {
    this.#held = true;
  }

  /** Hands on what was kept back but for pieces of text: their message is known as far as it was, and comes whole. */
  release(): void {
    this.#held = false;
    this.#queue = this.#queue.filter(({ type }) => type !== 'delta');
    this.#flush();
  }

  #flush(): void {
    this.#due = false;
    const updates = this.#queue;
    if (this.#held || updates.length === 0) return;
    this.#queue = [];
    this.#apply(updates);
  }
}
