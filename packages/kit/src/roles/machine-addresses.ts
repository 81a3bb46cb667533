import type { MachineAddress } from "./infra-machine-author.ts";

const addressOf =
  (type: MachineAddress["type"]) =>
  (address: string): MachineAddress => ({ type, address });

export const hostname = addressOf("Hostname");
export const externalIP = addressOf("ExternalIP");
export const internalIP = addressOf("InternalIP");
export const externalDNS = addressOf("ExternalDNS");
export const internalDNS = addressOf("InternalDNS");
