// The styles stand before those of the window's parts.
import '@fontsource/inter/400.css';
import '@fontsource/inter/500.css';
import '@fontsource/inter/600.css';
import '../ui/theme/styles';
import { keptChoice, speak } from '../language/i18n';

// Words are read when a module is loaded: the language has to be there before the window is.
await speak(keptChoice(), { de: () => import('../shop/de.po') });
const { open } = await import('./Window');
open();
