import mark from './mark.svg?inline';

/** The sign of the application. */
export function Mark() {
  return <img src={mark} alt="" width={44} height={44} />;
}
