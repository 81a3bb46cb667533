import type { ConditionInput } from "@capstan/contract/wire";
import { isControlPlaneInitialized } from "@capstan/kit/bootstrap";
import type { MachineAddress, MachineFacts } from "@capstan/kit/machine";
import { isControlPlane } from "@capstan/contract/wire";
import { ElementalCondition, ElementalReason } from "../api/elemental-conditions.ts";
import type { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { isBootstrapped, isInstalled, reported } from "../host/host-facts.ts";
import type { Context } from "./machine-context.ts";
import { isInitialized, type WorkloadNode } from "./workload-node.ts";

interface Why {
  readonly reason: string;
  readonly message: string;
}

const { associationReady, bootstrapReady, componentsReady, hostReady, installationReady, providerIDReady } =
  ElementalCondition;

/** Why a host cannot be used yet: in its agent's words where it has said what failed. */
export const hostWaitsFor = (host: ElementalHost): Why | undefined => {
  const { name } = host.metadata;
  const inWordsOf = (type: string, reason: string, message: string): Why => {
    const said = reported(host, type);
    if (said?.status !== "False" || said.message === "") return { reason, message };
    return { reason: said.reason, message: `ElementalHost ${name}: ${said.message}` };
  };
  if (!isInstalled(host)) {
    const message = `ElementalHost ${name} is not installed yet`;
    return inWordsOf(installationReady, ElementalReason.hostWaitingForInstall, message);
  }
  if (isBootstrapped(host)) return undefined;
  const { digest } = host.spec?.components ?? {};
  if (digest !== undefined && host.status?.components?.installed !== digest) {
    const message = `ElementalHost ${name}: ${digest} is to be installed`;
    return inWordsOf(componentsReady, ElementalReason.waitingForComponents, message);
  }
  const message = `ElementalHost ${name} is not bootstrapped yet`;
  const said = reported(host, bootstrapReady);
  const isFailure = said?.status === "False" && said.reason !== ElementalReason.waitingForBootstrap;
  return isFailure
    ? { reason: said.reason, message: `ElementalHost ${name}: ${said.message}` }
    : { reason: ElementalReason.hostWaitingForBootstrap, message };
};

/**
 * Returns the state of bootstrapping that the agent reports. The agent looks for the sentinel of the bootstrap provider, and continues to do
 * so after it has reported a failure, so a failure is not final.
 */
export const bootstrapOf = (host: ElementalHost): Pick<MachineFacts, "bootstrap"> => {
  if (isBootstrapped(host)) return { bootstrap: { state: "succeeded" } };
  const said = reported(host, bootstrapReady);
  if (said === undefined) return {};
  if (said.reason === ElementalReason.bootstrapFailed) {
    return { bootstrap: { state: "timedOut", cause: `bootstrapping failed: ${said.message}` } };
  }
  return { bootstrap: { state: "running" } };
};

const holds = (type: string): ConditionInput => ({ type, status: "True", reason: ElementalReason.done });
const waits = (type: string, why: Why): ConditionInput => ({ type, status: "False", severity: "Info", ...why });

/** The host of a machine is gone; no other one takes its place. */
export const hostLost = (providerID: string): ConditionInput => ({
  type: associationReady,
  status: "False",
  severity: "Error",
  reason: ElementalReason.associatedHostNotFound,
  message: `the ElementalHost of ${providerID} no longer exists; delete the Machine to get another one`,
});

/** Returns what is missing at the Node of a host, with the reason; `undefined`: nothing. */
const nodeWaitsFor = (
  { cluster, machine, identity, uses: { node: nodes } }: Context,
  { metadata: { name = "" } }: ElementalHost,
): Why | undefined => {
  const { nodeNotFound, otherProviderID, waitingForControlPlaneInitialized } = ElementalReason;
  const node = nodes.find(name);
  // The first Node of a control plane is what initializes it.
  if (node === undefined || (!isControlPlane(machine) && !isControlPlaneInitialized(cluster))) {
    return {
      reason: waitingForControlPlaneInitialized,
      message: "the control plane of the cluster does not answer yet",
    };
  }
  if (node === "missing") {
    return { reason: nodeNotFound, message: `the workload cluster has no Node ${name} yet` };
  }
  const providerID = `elemental://${identity.namespace}/${name}`;
  if (isInitialized(node, providerID)) return undefined;
  const { providerID: other = "" } = node.spec ?? {};
  return other === "" || other === providerID
    ? { reason: nodeNotFound, message: `Node ${name} is being given its provider id` }
    : {
        reason: otherProviderID,
        message: `Node ${name} has spec.providerID ${other}, which is immutable and should be ${providerID}; remove the setting from the bootstrap config and replace the Machine`,
      };
};

/** Conditions of the machine beside Ready and Provisioned. `nothing`: why no host is there. */
export const machineRemarks = (
  context: Context,
  host: ElementalHost | undefined,
  nothing?: Why,
): readonly ConditionInput[] => {
  if (host === undefined) {
    const message = "a host is being claimed";
    return [waits(associationReady, nothing ?? { reason: ElementalReason.missingAvailableHosts, message })];
  }
  const waiting = hostWaitsFor(host);
  const node = waiting === undefined ? nodeWaitsFor(context, host) : waiting;
  const components = reported(host, componentsReady);
  return [
    holds(associationReady),
    waiting === undefined ? holds(hostReady) : waits(hostReady, waiting),
    node === undefined ? holds(providerIDReady) : waits(providerIDReady, node),
    ...(components === undefined || host.spec?.components === undefined
      ? []
      : [{ type: componentsReady, status: components.status, reason: components.reason, message: components.message }]),
  ];
};

const types: readonly MachineAddress["type"][] = ["Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"];

/** Addresses of a host: those of its Node, or its name. */
export const addressesOf = (host: string, node: ReturnType<WorkloadNode["find"]>): readonly MachineAddress[] => {
  const known = node === undefined || node === "missing" ? [] : (node.status?.addresses ?? []);
  const addresses = known.flatMap(({ address = "", type }): readonly MachineAddress[] => {
    const valid = types.find((each) => each === type);
    return valid === undefined || address === "" ? [] : [{ type: valid, address }];
  });
  return addresses.length > 0 ? addresses : [{ type: "Hostname", address: host }];
};
