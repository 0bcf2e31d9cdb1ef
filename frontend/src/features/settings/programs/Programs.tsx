import { Clients } from './Clients';
import { Peers } from './Peers';

/** The other programs: those whose assistant may use this desk, and those that do something for it. */
export function Programs() {
  return (
    <>
      <Clients />
      <Peers />
    </>
  );
}
