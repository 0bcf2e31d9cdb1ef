import type { Capabilities } from './capabilities.gen';

/** The name of a capability, and what it takes and gives. */
export type CapabilityName = keyof Capabilities;
export type Request<N extends CapabilityName> = Capabilities[N]['request'];
export type Response<N extends CapabilityName> = Capabilities[N]['response'];
