import type { Capabilities } from './capabilities.gen';

/** The names of capabilities, with the types of request and response. */
export type CapabilityName = keyof Capabilities;
export type Request<N extends CapabilityName> = Capabilities[N]['request'];
export type Response<N extends CapabilityName> = Capabilities[N]['response'];
