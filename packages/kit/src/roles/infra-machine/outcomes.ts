import { observations } from "../../engine/observation.ts";
import type { MachineFacts, MachineAddress } from "./author.ts";

const addressOf =
  (type: MachineAddress["type"]) =>
  (address: string): MachineAddress => ({ type, address });

export const hostname = addressOf("Hostname");
export const externalIP = addressOf("ExternalIP");
export const internalIP = addressOf("InternalIP");
export const externalDNS = addressOf("ExternalDNS");
export const internalDNS = addressOf("InternalDNS");

const outcomes = observations<MachineFacts>();

/** There is no such server. */
export const absent = outcomes.absent;
/** The server exists and something has still to happen. */
export const pending = outcomes.pending;
/** The server is as it should be; with `step`, something about it still has to be put right. */
export const present = outcomes.present;
/** The server exists and will not become a node by itself. */
export const failed = outcomes.failed;
/** The server is being deleted. */
export const removing = outcomes.removing;
