import { keptChoice, speak } from '../language/i18n';

// Words are read when a module is loaded: the language has to be there before the window is.
await speak(keptChoice());
const { open } = await import('./Window');
open();
