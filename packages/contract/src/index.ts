export { rfc3339 } from "./clock.ts";
export type { Clock, Random } from "./clock.ts";
export { CapstanError, isCapstanError } from "./error.ts";
export type { CapstanErrorOptions, Retry } from "./error.ts";
export { silentLogger } from "./logger.ts";
export type { Logger } from "./logger.ts";
export * from "./names.ts";
export type { ProxyFor } from "./proxy.ts";
export { Secret } from "./secret.ts";
