import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** A mail as it arrived. */
export interface Delivered {
  to: string[];
  content: string;
}

/** A mail server on this machine that accepts and keeps every mail. */
export class Mailbox {
  readonly mails: Delivered[] = [];
  readonly #server: Server = createServer((socket) => this.#talk(socket));

  /** Starts listening and returns the port. */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #talk(socket: Socket): void {
    let to: string[] = [];
    let content: string | undefined; // of the mail that is coming; undefined between mails
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    const hear = (line: string) => {
      if (content !== undefined) {
        if (line !== '.') content += `${line.replace(/^\./, '')}\n`;
        else {
          this.mails.push({ to, content });
          [to, content] = [[], undefined];
          say('250 kept');
        }
        return;
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'EHLO') say('250-mailbox\r\n250 8BITMIME');
      else if (verb === 'RCPT') {
        to.push(line.replace(/^.*<(.*)>.*$/, '$1'));
        say('250 ok');
      } else if (verb === 'DATA') {
        content = '';
        say('354 go on');
      } else if (verb === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    };
    socket.setEncoding('utf8');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      lines.forEach(hear);
    });
    say('220 mailbox');
  }
}
