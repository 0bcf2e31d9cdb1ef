import { writeFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';

const strip = 44; // the height of a caption, below the picture of the window

interface Frame {
  body: Buffer; // the chunk of the picture
  ms: number;
}

/** Pictures of the window for the documentation, each with a caption below it, as one animated WebP. */
export class Film {
  private readonly frames: Frame[] = [];
  private readonly size: { width: number; height: number };

  constructor(private readonly page: Page) {
    this.size = page.viewportSize() ?? { width: 0, height: 0 };
  }

  /** Takes a picture that is shown for some milliseconds. What is pressed next gets a frame. */
  async shot(caption: string, ms: number, next?: Locator): Promise<void> {
    await this.page.mouse.move(0, 0);
    const box = await next?.boundingBox();
    const png = (await this.page.screenshot({ animations: 'disabled' })).toString('base64');
    const webp = await this.page.evaluate(draw, { png, caption, box, strip, ...this.size });
    this.frames.push({ body: chunk(Buffer.from(webp, 'base64'), 'VP8 '), ms });
  }

  /** Writes the film into the documentation and returns its size in bytes. */
  write(name: string): number {
    const { width, height } = { ...this.size, height: this.size.height + strip };
    const head = Buffer.concat([Buffer.from([0x02, 0, 0, 0]), uint24(width - 1), uint24(height - 1)]);
    const frames = this.frames.map(({ body, ms }) =>
      riff(
        'ANMF',
        Buffer.concat([
          ...[uint24(0), uint24(0), uint24(width - 1), uint24(height - 1), uint24(ms)],
          Buffer.from([0x02]), // the frame replaces the one before
          body,
        ]),
      ),
    );
    const chunks = [riff('VP8X', head), riff('ANIM', Buffer.alloc(6)), ...frames]; // shown again and again
    const file = riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
    writeFileSync(`../docs/images/${name}.webp`, file);
    return file.length;
  }
}

/** Draws a picture with its caption, in the page, and returns it as a WebP in base64. */
async function draw(o: {
  png: string;
  caption: string;
  box: { x: number; y: number; width: number; height: number } | null | undefined;
  strip: number;
  width: number;
  height: number;
}): Promise<string> {
  const bytes = Uint8Array.from(atob(o.png), (c) => c.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(o.width, o.height + o.strip);
  const to = canvas.getContext('2d', { alpha: false });
  if (!to) throw new Error('no canvas');
  to.drawImage(picture, 0, 0, o.width, o.height);
  to.fillStyle = '#1c2120';
  to.fillRect(0, o.height, o.width, o.strip);
  to.fillStyle = '#ffffff';
  to.font = '600 17px Inter, sans-serif';
  to.textAlign = 'center';
  to.textBaseline = 'middle';
  to.fillText(o.caption, o.width / 2, o.height + o.strip / 2);
  if (o.box) {
    to.strokeStyle = '#b87d12';
    to.lineWidth = 4;
    to.beginPath();
    to.roundRect(o.box.x - 5, o.box.y - 5, o.box.width + 10, o.box.height + 10, 8);
    to.stroke();
  }
  const drawn = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })).arrayBuffer());
  let text = '';
  for (const byte of drawn) text += String.fromCharCode(byte);
  return btoa(text);
}

function uint24(n: number): Buffer {
  const out = Buffer.alloc(3);
  out.writeUIntLE(n, 0, 3);
  return out;
}

/** A chunk of a RIFF file: name, length, body, and a byte where the length is odd. */
function riff(name: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(name), length, body, Buffer.alloc(body.length % 2)]);
}

/** The chunk of that name in a WebP file of one picture. */
function chunk(file: Buffer, name: string): Buffer {
  for (let at = 12; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === name) return riff(name, file.subarray(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  throw new Error(`no ${name} in the picture`);
}
