import { CapstanError } from "@capstan/contract";
import { isJsonObject } from "@capstan/schema";
import type { AzureResource, ResourceBody } from "../cloud/azure-api.ts";

const sshPort = 22;
const first = 2201;
const last = 2219;

/** Ports of a load balancer that machines are reached at already. */
export const takenPorts = (balancer: AzureResource): readonly number[] => {
  const rules = balancer.properties?.["inboundNatRules"];
  return (Array.isArray(rules) ? rules : []).flatMap((rule: unknown) => {
    const properties = isJsonObject(rule) ? rule["properties"] : undefined;
    const port = isJsonObject(properties) ? properties["frontendPort"] : undefined;
    return typeof port === "number" ? [port] : [];
  });
};

/** The port at which a machine is reached for SSH: 22, or the first that is free above 2200. */
export const freePort = (taken: readonly number[]): number => {
  const ports = [sshPort, ...Array.from({ length: last - first + 1 }, (_, index) => first + index)];
  const free = ports.find((port) => !taken.includes(port));
  if (free !== undefined) return free;
  throw new CapstanError({
    code: "azure.ssh_ports_taken",
    reason: "NoFreePort",
    message: `the load balancer of the API server has no port left for SSH: 22 and ${first} to ${last} are in use; delete unused inbound NAT rules`,
    retry: { kind: "after", ms: 60_000 },
  });
};

/** The rule by which a control-plane machine is reached for SSH. */
export const natRuleBody = (frontend: string, port: number): ResourceBody => ({
  properties: {
    protocol: "Tcp",
    frontendPort: port,
    backendPort: sshPort,
    enableFloatingIP: false,
    idleTimeoutInMinutes: 4,
    frontendIPConfiguration: { id: frontend },
  },
});
