import type { BmcMachine } from "../api/bmc-machine.ts";
import { redfishPort } from "./redfish-port.ts";

/** The host of board management, however it is written. */
export const boardHost = ({ spec }: BmcMachine): readonly string[] => {
  const host =
    spec?.connection.host
      .trim()
      .toLowerCase()
      .replace(/^\[(.*)\]$/, "$1")
      .replace(/\.$/, "") ?? "";
  return host === ""
    ? []
    : [host.includes(":") && URL.canParse(`http://[${host}]`) ? new URL(`http://[${host}]`).hostname : host];
};

/**
 * Returns whether two Machines at one host are the board management of the same machine. One host may serve several: virtual ones at a port each,
 * a chassis with a name for each system, a webhook that stands for a device.
 */
export const isSameBoard = (a: BmcMachine, b: BmcMachine): boolean => {
  const [one, other] = [a.spec?.connection, b.spec?.connection];
  if (one === undefined || other === undefined) return false;
  const [rpc, otherRpc] = [one.providerOptions?.rpc, other.providerOptions?.rpc];
  if (rpc !== undefined && otherRpc !== undefined) return rpc.consumerURL === otherRpc.consumerURL;
  if (rpc !== undefined || otherRpc !== undefined) return true;
  if (redfishPort(one) !== redfishPort(other)) return false;
  const [name = "", otherName = ""] = [one, other].map(({ providerOptions }) => providerOptions?.redfish?.systemName);
  return name === "" || otherName === "" || name === otherName;
};
