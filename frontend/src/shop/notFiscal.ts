import { i18n } from '../language/i18n';

/** The notice about certified fiscal registers. */
export const notFiscal = (): string =>
  i18n._('Deskhand is not a certified fiscal register; several countries require one for cash.');
