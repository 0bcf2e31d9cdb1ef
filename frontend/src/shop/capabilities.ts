import type { Capabilities as OfTheShop } from './capabilities.gen';

/** The names of the shop's own capabilities. */
export type ShopCapabilityName = keyof OfTheShop;

declare module '../bridge/capabilities' {
  interface Capabilities extends OfTheShop {}
}
