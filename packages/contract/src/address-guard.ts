import type { LookupFunction } from "node:net";

/** Watches over where requests go whose destination stands in an object or Secret that users may write. */
export interface AddressGuard {
  /** Throws `runtime.address_refused` when the host of a URL is an address that is refused. A name is checked by `lookup`. */
  check(url: string): void;
  /** Resolves names for connections, which then go to the addresses that were checked; fails when one of them is refused. */
  readonly lookup: LookupFunction;
}
