import type { PeerCertificate } from "node:tls";
import type { Logger } from "@capstan/contract";
import { keyOf, keyText, type ObjectKey } from "@capstan/kube-values";
import { agentIdsOf, type HardwareIndex } from "../hardware/hardware-index.ts";
import type { KnownCaller } from "./agent-calls.ts";

/** By what the gateway knows who calls. */
export type WorkerPolicy = "off" | "ip" | "mtls";

/** Address and certificate names of a caller. */
export interface Caller {
  /** As the server sees it: `10.0.0.2:45678`, `[::1]:45678`. */
  readonly peer: string;
  /** Names in the certificate that it has shown; none without one. */
  readonly names: readonly string[];
}

/** Common name, DNS names, addresses and URIs of a certificate. */
export const certificateNames = (certificate: PeerCertificate | undefined): readonly string[] => {
  const { subject, subjectaltname = "" } = certificate ?? {};
  const alternatives = subjectaltname.split(", ").map((name) => name.replace(/^[A-Za-z ]+:/, ""));
  return [subject?.CN ?? [], alternatives].flat().filter((name) => name !== "");
};

/** The IP address of a peer; of IPv4 in IPv6, that of IPv4. */
const addressOf = (peer: string): string => {
  const host = peer.replace(/^ipv[46]:/, "").replace(/:\d+$/, "");
  return host.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "");
};

/** Says of a caller which agent it is, by what the Hardware says of machines. */
export const identify = (
  { names, peer }: Caller,
  { hardware, log, policy }: { readonly policy: WorkerPolicy; readonly hardware: HardwareIndex; readonly log: Logger },
): KnownCaller => {
  if (policy === "off") return { isAgent: () => true, mayHave: () => true };
  const address = addressOf(peer);
  if (policy === "mtls") {
    const isAgent = (agentId: string): boolean => {
      if (names.includes(agentId)) return true;
      log.warn("refused an agent whose certificate does not name it", {
        agent: agentId,
        address,
        names: names.join(", "),
      });
      return false;
    };
    return { isAgent, mayHave: () => true };
  }
  // Whoever writes Workflows and Hardware of another namespace is another user.
  const mayHave = ({ namespace }: ObjectKey): boolean => {
    const found = hardware.ofAddress(address);
    return "hardware" in found && found.hardware.metadata.namespace === namespace;
  };
  const isAgent = (agentId: string): boolean => {
    const found = hardware.ofAddress(address);
    if ("hardware" in found && agentIdsOf(found.hardware).includes(agentId)) return true;
    const known = "hardware" in found ? keyText(keyOf(found.hardware)) : found.missing;
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
  return { isAgent, mayHave };
};
