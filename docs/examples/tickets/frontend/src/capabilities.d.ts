import type { Capabilities as OfTheHelpDesk } from './capabilities.gen';

declare module '@deskhand/kit/bridge/capabilities' {
  interface Capabilities extends OfTheHelpDesk {}
}
