import type { ControlPlaneMaterial } from "./control-plane-material.ts";

/** What the servers of a cluster of k3s or RKE2 have in common, and what they ask of those that join. */
export interface ServerRegistration {
  /** The password of servers. */
  readonly token: string;
  /** The password of agents; they may use that of servers too. */
  readonly agentToken: string | undefined;
  /** What a further server fetches from those there are. */
  readonly material: Omit<ControlPlaneMaterial, "file">;
}
