export type Booking = { id: string; room: string; day: string; hour: number; title: string; by: string };

/** What the store asks of the server. */
export interface Actions {
  list(day: string): Promise<Booking[]>;
  book(room: string, day: string, hour: number, title: string): Promise<Booking>;
  move(id: string, hour: number): Promise<Booking>;
  cancel(id: string): Promise<unknown>;
  close(room: string): Promise<unknown>;
}

/** The actions by the HTTP API, as they were before the move. */
export function rest(url: string, token: string): Actions {
  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  }
  return {
    list: async (day) => (await send<{ bookings: Booking[] }>('GET', `/bookings?day=${day}`)).bookings,
    book: (room, day, hour, title) => send('POST', '/bookings', { room, day, hour, title }),
    move: (id, hour) => send('PATCH', `/bookings/${id}`, { hour }),
    cancel: (id) => send('DELETE', `/bookings/${id}`),
    close: (room) => send('DELETE', `/rooms/${room}`),
  };
}

/** The bookings of a day. An action that fails leaves them as they are and says why in error. */
export class BookingStore {
  day = '';
  bookings: Booking[] = [];
  error = '';

  constructor(private readonly actions: Actions) {}

  open = (day: string) => this.change(async () => [this.day, this.bookings] = [day, await this.actions.list(day)]);
  book = (room: string, hour: number, title: string) =>
    this.change(async () => this.put(await this.actions.book(room, this.day, hour, title)));
  move = (id: string, hour: number) => this.change(async () => this.put(await this.actions.move(id, hour)));
  cancel = (id: string) => this.change(async () => {
    await this.actions.cancel(id);
    this.keep((b) => b.id !== id);
  });
  close = (room: string) => this.change(async () => {
    await this.actions.close(room);
    this.keep((b) => b.room !== room);
  });

  private async change(run: () => Promise<unknown>): Promise<void> {
    this.error = '';
    await run().catch((thrown: Error) => { this.error = thrown.message; });
  }

  private put(booking: Booking): void {
    this.keep((b) => b.id !== booking.id);
    this.bookings = [...this.bookings, booking].sort((a, b) => a.hour - b.hour);
  }

  private keep(which: (b: Booking) => boolean): void {
    this.bookings = this.bookings.filter(which);
  }
}
