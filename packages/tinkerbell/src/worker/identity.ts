import type { Logger } from "@capstan/contract";
import { keyOf, keyText } from "@capstan/kube-values";
import { agentIdsOf, type HardwareIndex } from "../hardware/hardware-index.ts";
import type { IsAgent } from "./agent-calls.ts";

/** By what the gateway knows who calls. */
export type WorkerPolicy = "off" | "ip";

/** What is known of a caller. */
export interface Caller {
  /** As the server sees it: `10.0.0.2:45678`, `[::1]:45678`. */
  readonly peer: string;
}

/** The IP address of a peer; of IPv4 in IPv6, that of IPv4. */
const addressOf = (peer: string): string => {
  const host = peer.replace(/^ipv[46]:/, "").replace(/:\d+$/, "");
  return host.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "");
};

/** Says of a caller which agent it is, by what the Hardware says of machines. */
export const identify = (
  { peer }: Caller,
  { hardware, log, policy }: { readonly policy: WorkerPolicy; readonly hardware: HardwareIndex; readonly log: Logger },
): IsAgent => {
  if (policy === "off") return () => true;
  const address = addressOf(peer);
  return (agentId) => {
    const machines = hardware.ofAddress(address);
    if (machines.some((machine) => agentIdsOf(machine).includes(agentId))) return true;
    const known = machines.map((machine) => keyText(keyOf(machine))).join(", ") || "of no Hardware";
    log.warn(
      "refused an agent that is not the machine at its address; see dhcp.ip.address and agentID of its Hardware",
      {
        agent: agentId,
        address,
        hardware: known,
      },
    );
    return false;
  };
};
