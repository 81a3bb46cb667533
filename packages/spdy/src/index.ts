export type { StreamHeaders } from "./header-blocks.ts";
export { SpdyConnection } from "./spdy-connection.ts";
export type { SpdyConnectionOptions, SpdyStream } from "./spdy-connection.ts";
