export { forwardTcp } from "./network/tcp-forward.ts";
export type { TcpAddress, TcpForward } from "./network/tcp-forward.ts";
