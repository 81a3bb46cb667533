import type { BootstrapOutcome } from "./author.ts";

type Parts<State extends BootstrapOutcome["state"]> = Omit<
  Extract<BootstrapOutcome, { readonly state: State }>,
  "state"
>;

/** The document cannot be made yet. */
export const waiting = (parts: Parts<"waiting">): BootstrapOutcome => ({ state: "waiting", ...parts });
/** The document. */
export const ready = (parts: Parts<"ready">): BootstrapOutcome => ({ state: "ready", ...parts });
