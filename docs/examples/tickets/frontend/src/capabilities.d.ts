import type { Capabilities as OfTheHelpDesk } from './capabilities.gen';

declare module '@deskhand/kit/door/capabilities' {
  interface Capabilities extends OfTheHelpDesk {}
}
