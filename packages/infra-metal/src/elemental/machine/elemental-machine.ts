import { Label } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { bootstrapFormats, effectivePatch, SecretResource, type MergePatch } from "@capstan/contract/wire";
import { secretReference } from "@capstan/kit/delivery";
import { absent, infraMachine, pending, present, removing } from "@capstan/kit/machine";
import type { MachineObservation } from "@capstan/kit/machine";
import { isBeingDeleted, nameAsLabel, selects, selectorText } from "@capstan/kube-values";
import { apiVersionOf, sameJson, isJsonObject } from "@capstan/schema";
import { ElementalReason } from "../api/elemental-conditions.ts";
import { ElementalCluster } from "../api/elemental-cluster.v1beta1.ts";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { ElementalMachine } from "../api/elemental-machine.v1beta1.ts";
import { elementalFinalizer, HostLabel } from "../api/names.ts";
import { isGivenUp, isReset, needsReset } from "../host/host-facts.ts";
import { askedComponents, resolved, toldComponents } from "./host-components.ts";
import { type Context, type MachineTools, uses } from "./machine-context.ts";
import { addressesOf, bootstrapOf, hostLost, hostWaitsFor, machineRemarks } from "./machine-facts.ts";
import { isInitialized } from "./workload-node.ts";

/** Returns the merge patch that removes the fields that `after` does not have. */
const goneIn = (before: unknown, after: unknown): MergePatch =>
  isJsonObject(before) && isJsonObject(after)
    ? Object.fromEntries(
        Object.entries(before).flatMap(([key, value]) => {
          if (after[key] === undefined) return [[key, null]];
          const inner = replacing(value, after[key]);
          return [[key, inner]];
        }),
      )
    : {};

/** The value of a merge patch that makes a free value exactly another one. */
const replacing = (before: unknown, after: unknown): unknown =>
  isJsonObject(after) ? { ...after, ...goneIn(before, after) } : after;

const handOver = "hand over";
const setProviderID = "set provider id";

const fitting = ({ object, uses: { host } }: Context): readonly ElementalHost[] =>
  host.candidates(({ metadata }) => selects(object.spec?.selector, metadata.labels));

const observeWithout = (context: Context): MachineObservation => {
  const { object } = context;
  if (isBeingDeleted(object)) return absent();
  if (object.spec?.providerID !== undefined) return absent({ conditions: [hostLost(object.spec.providerID)] });
  if (fitting(context).length > 0) return absent({ step: "claim", conditions: machineRemarks(context, undefined) });
  const { selector } = object.spec ?? {};
  const which = selector === undefined ? "" : ` and matches spec.selector (${selectorText(selector)})`;
  const message = `no ElementalHost of the namespace is installed, free${which}; register one, or change spec.selector`;
  const reason = ElementalReason.missingAvailableHosts;
  return absent({ reason, message, conditions: machineRemarks(context, undefined, { reason, message }) });
};

const labelsOf = ({ identity, machine }: Context): Readonly<Record<string, string>> => ({
  [HostLabel.machineName]: nameAsLabel(machine.metadata.name ?? ""),
  [Label.clusterName]: identity.clusterName,
});

/** Returns whether the host has been told everything that its machine asks for. */
const isHandedOver = (context: Context, host: ElementalHost): boolean => {
  const { object } = context;
  const asked = askedComponents(object, context);
  const components = asked === undefined ? null : toldComponents(asked, host);
  return (
    effectivePatch(host, { metadata: { labels: labelsOf(context) } }) === undefined &&
    sameJson(host.spec?.components ?? null, components) &&
    sameJson(host.spec?.osVersionManagement ?? null, object.spec?.osVersionManagement ?? null)
  );
};

const leaving = (host: ElementalHost): MachineObservation => {
  const { name: handle = "" } = host.metadata;
  const wasUsed = host.spec?.bootstrapSecret !== undefined || host.spec?.components !== undefined;
  if (!wasUsed || isReset(host) || isGivenUp(host)) return pending({ handle, reason: ElementalReason.resettingHost });
  if (!needsReset(host)) return removing({ handle, step: "reset" });
  const message = `the agent of ElementalHost ${handle} is to reset it`;
  return removing({ handle, reason: ElementalReason.resettingHost, message });
};

const observe = async (context: Context): Promise<MachineObservation> => {
  const {
    identity,
    object,
    uses: { host: hosts, node: nodes },
  } = context;
  const host = hosts.mine();
  if (host === undefined) return observeWithout(context);
  if (isBeingDeleted(object)) return leaving(host);
  const { name: handle = "", uid } = host.metadata;
  const isHanded = isHandedOver(context, host);
  const wasMade = object.spec?.providerID !== undefined;
  if (!wasMade && !isHanded) return absent({ step: handOver, conditions: machineRemarks(context, host) });
  const isUsed = wasMade || host.spec?.bootstrapSecret !== undefined;
  if (!isUsed) return absent({ conditions: machineRemarks(context, host) });
  const node = nodes.find(handle);
  const facts = {
    handle,
    conditions: machineRemarks(context, host),
    spec: {
      hostRef: {
        apiVersion: apiVersionOf(ElementalHost),
        kind: ElementalHost.kind,
        namespace: identity.namespace,
        name: handle,
        uid,
      },
    },
    status: {
      components: {
        desired: host.spec?.components?.digest ?? null,
        installed: host.status?.components?.installed ?? null,
      },
    },
    addresses: addressesOf(handle, node),
    ...bootstrapOf(host),
  };
  const waiting = hostWaitsFor(host);
  if (waiting !== undefined && !wasMade) return pending({ ...facts, ...waiting });
  const providerID = `elemental://${identity.namespace}/${handle}`;
  if (!isHanded) return present({ ...facts, providerID, step: handOver });
  const isNodeKnown = node !== undefined && node !== "missing";
  const mayBeSet = isNodeKnown && [undefined, "", providerID].includes(node.spec?.providerID);
  const step = mayBeSet && !isInitialized(node, providerID) ? { step: setProviderID } : {};
  return present({ ...facts, providerID, ...step });
};

/** Takes one; others may be faster. */
const claim = async (context: Context): Promise<void> => {
  for (const candidate of fitting(context)) {
    if ((await context.uses.host.claim(candidate)) !== undefined) return;
  }
};

/** Tells the host what it is to have. */
const tell = async (context: Context): Promise<void> => {
  const {
    api,
    call,
    object,
    uses: { host },
  } = context;
  const mine = host.mine();
  if (mine === undefined) return;
  const asked = askedComponents(object, context);
  const known = asked && toldComponents(asked, mine);
  const components =
    asked === undefined ? null : (known ?? (await resolved(asked, object, (image) => api.resolve(image, call.signal))));
  const { components: before, osVersionManagement: oldVersion } = mine.spec ?? {};
  await host.patch({
    metadata: { labels: labelsOf(context) },
    spec: {
      components: replacing(before, components),
      osVersionManagement: replacing(oldVersion, object.spec?.osVersionManagement ?? null),
    },
  });
};

/** Hosts as machines. A host is claimed, told what to install, bootstrapped, and in the end reset. */
export const elementalMachine = (tools: MachineTools): ControllerV1 =>
  infraMachine({
    kind: ElementalMachine,
    clusterKind: ElementalCluster,
    finalizer: elementalFinalizer,
    formats: Object.values(bootstrapFormats),
    uses,
    connect: () => tools,
    // Hosts are objects of the management API.
    making: [],
    observe,
    create: async ({ bootstrap, uses: { host } }) => {
      const { secret } = await bootstrap.deliver([secretReference()]);
      if (secret === undefined) return;
      const { name, namespace } = secret;
      const { kind, version: apiVersion } = SecretResource;
      await host.patch({ spec: { bootstrapSecret: { apiVersion, kind, namespace, name } } });
    },
    steps: {
      claim,
      [handOver]: tell,
      [setProviderID]: async ({ identity, uses: { host, node: nodes } }) => {
        const { name = "" } = host.mine()?.metadata ?? {};
        const node = nodes.find(name);
        if (node === undefined || node === "missing") return;
        await nodes.initialize(node, `elemental://${identity.namespace}/${name}`);
      },
      reset: ({ uses: { host } }) => host.patch({ metadata: { labels: { [HostLabel.needsReset]: "true" } } }),
    },
    stages: ({ object }) =>
      isBeingDeleted(object)
        ? [{ name: "resetting the host", reasons: ["Reset", ElementalReason.resettingHost] }]
        : [
            { name: "claiming", reasons: ["Claim", "HandOver", "Creating"] },
            { name: "installing", reasons: [ElementalReason.hostWaitingForInstall] },
            {
              name: "installing components",
              reasons: [
                ElementalReason.waitingForComponents,
                ElementalReason.downloadFailed,
                ElementalReason.verificationFailed,
                ElementalReason.installFailed,
                ElementalReason.unsupportedPlatform,
              ],
            },
            {
              name: "bootstrapping",
              reasons: [ElementalReason.hostWaitingForBootstrap, ElementalReason.bootstrapFailed],
            },
          ],
    remove: ({ uses: { host } }) => host.release(),
  });
