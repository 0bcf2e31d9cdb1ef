import type { Capabilities as OfThePackages } from './capabilities.gen';

/**
 * The capabilities with their types. Here are those that the packages register in any application; an application
 * adds the types of its own, as `deskhand gen --ts` writes them, by declaration merging:
 *
 *     declare module '@deskhand/kit/bridge/capabilities' {
 *       interface Capabilities extends Omit<Own, keyof OfThePackages> {}
 *     }
 */
export interface Capabilities extends OfThePackages {}

export type { OfThePackages };

/** The names of capabilities, with the types of request and response. */
export type CapabilityName = keyof Capabilities;
/** The names of those whose answers are kept until a domain changes that they are made of. */
export type QueryName = {
  [N in CapabilityName]: Capabilities[N] extends { provides: string } ? N : never;
}[CapabilityName];
export type Request<N extends CapabilityName> = Capabilities[N]['request'];
export type Response<N extends CapabilityName> = Capabilities[N]['response'];
