import type { MachineAddress, MachineObservation } from "./author.ts";

type Facts<State extends MachineObservation["state"]> = Omit<
  Extract<MachineObservation, { readonly state: State }>,
  "state"
>;

/** There is no such server. */
export const absent = (): MachineObservation => ({ state: "absent" });
/** The server exists and something has still to happen. */
export const pending = (facts: Facts<"pending">): MachineObservation => ({ state: "pending", ...facts });
/** The server is as it should be; with `step`, something about it still has to be put right. */
export const present = (facts: Facts<"present">): MachineObservation => ({ state: "present", ...facts });
/** The server exists and will not become a node by itself. */
export const failed = (facts: Facts<"failed">): MachineObservation => ({ state: "failed", ...facts });
/** The server is being deleted. */
export const removing = (facts: Facts<"removing">): MachineObservation => ({ state: "removing", ...facts });

const addressOf =
  (type: MachineAddress["type"]) =>
  (address: string): MachineAddress => ({ type, address });

export const hostname = addressOf("Hostname");
export const externalIP = addressOf("ExternalIP");
export const internalIP = addressOf("InternalIP");
export const externalDNS = addressOf("ExternalDNS");
export const internalDNS = addressOf("InternalDNS");
