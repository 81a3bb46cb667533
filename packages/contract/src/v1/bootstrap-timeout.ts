import type { ServiceKey } from "./provider.ts";

/** Default time limit for bootstrapping a machine, in milliseconds; objects may override it. Default: that of each provider. */
export const bootstrapTimeout: ServiceKey<number> = { name: "bootstrap-timeout" };
