export {
  freeAddress,
  freeRange,
  hasAddress,
  includes,
  isNetwork,
  overlaps,
  parseRange,
} from "./network/address-range.ts";
export type { AddressRange } from "./network/address-range.ts";
export { forwardTcp } from "./network/tcp-forward.ts";
export type { TcpAddress, TcpForward } from "./network/tcp-forward.ts";
