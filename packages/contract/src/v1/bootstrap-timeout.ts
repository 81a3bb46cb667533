import type { ServiceKey } from "./provider.ts";

/** How long the bootstrapping of a machine may take, milliseconds, where no object says otherwise. Default: as each provider thinks fit. */
export const bootstrapTimeout: ServiceKey<number> = { name: "bootstrap-timeout" };
