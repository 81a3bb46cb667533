import type { ControllerV1 } from "@capstan/contract/v1";
import type { ConditionInput } from "@capstan/contract/wire";
import { changesIn, managedObject, observations } from "@capstan/kit/engine";
import type { ObjectContext, ObjectRef, Observation } from "@capstan/kit/engine";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted } from "@capstan/kube-values";
import { watch } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { ElementalCondition, ElementalReason } from "../api/elemental-conditions.ts";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { ElementalRegistration } from "../api/elemental-registration.v1beta1.ts";
import { elementalFinalizer, HostAnnotation, HostLabel } from "../api/names.ts";
import {
  hostMark,
  isBootstrapped,
  isGivenUp,
  isInstalled,
  isReset,
  needsReset,
  reported,
  wasUsed,
} from "./host-facts.ts";

const { absent, pending, present, removing } = observations();

type Context = ObjectContext<ElementalHost>;

const holds = (type: string): ConditionInput => ({ type, status: "True", reason: ElementalReason.done });

const waits = (type: string, reason: string, message: string): ConditionInput => ({
  type,
  status: "False",
  severity: "Info",
  reason,
  message,
});

/** The bundle that is wanted is not the one that is there: said once, what the agent says of it stays. */
const componentsCondition = (host: ElementalHost): readonly ConditionInput[] => {
  const { digest } = host.spec?.components ?? {};
  if (digest === undefined || host.status?.components?.installed === digest) return [];
  const known = reported(host, ElementalCondition.componentsReady);
  if (known !== undefined && known.status !== "True" && known.message.includes(digest)) return [];
  const isPending = !isBootstrapped(host) || host.metadata.labels?.[HostLabel.inPlaceUpdate] === "pending";
  const { inPlaceUpdateNotPending, waitingForComponents } = ElementalReason;
  return [
    isPending
      ? waits(ElementalCondition.componentsReady, waitingForComponents, `${digest} is to be installed`)
      : waits(
          ElementalCondition.componentsReady,
          inPlaceUpdateNotPending,
          `${digest} is to be installed; set the label ${HostLabel.inPlaceUpdate} to pending to have it done in place`,
        ),
  ];
};

/** Returns the conditions that follow from the labels that agents have set, and that of the component bundle. */
const conditionsOf = (host: ElementalHost): readonly ConditionInput[] => [
  ...(isInstalled(host)
    ? [holds(ElementalCondition.registrationReady), holds(ElementalCondition.installationReady)]
    : []),
  ...(isBootstrapped(host) ? [holds(ElementalCondition.bootstrapReady)] : []),
  ...componentsCondition(host),
];

/** Why the host is not ready, in the agent's words where it has said something. */
const waitingFor = (host: ElementalHost): { readonly reason: string; readonly message: string } | undefined => {
  const { installationReady, bootstrapReady, componentsReady } = ElementalCondition;
  const said = (type: string, reason: string, message: string) => {
    const condition = reported(host, type);
    return condition?.status === "False" ? condition : { reason, message };
  };
  if (needsReset(host)) {
    const { resetReady } = ElementalCondition;
    return said(resetReady, ElementalReason.waitingForReset, "the agent of the host is to reset it");
  }
  if (!isInstalled(host)) {
    const { waitingForInstallation } = ElementalReason;
    return said(installationReady, waitingForInstallation, "the agent of the host has not installed it yet");
  }
  if (host.spec?.bootstrapSecret === undefined || isBootstrapped(host)) return undefined;
  const components = reported(host, componentsReady);
  if (components?.status === "False") return components;
  const { waitingForBootstrap } = ElementalReason;
  return said(bootstrapReady, waitingForBootstrap, "the agent of the host has not bootstrapped it yet");
};

/** Limits of the wait for a spare host without a registration: until its agent sends a request, and until it has reset the host. */
const silentMs = 300_000;
const resetMs = 1_800_000;

/** Returns whether there is a registration under which the agent of a host asks, and others may come. */
const isRegistered = (host: ElementalHost, cache: Cache): boolean => {
  const { annotations = {} } = host.metadata;
  const { [HostAnnotation.registrationName]: name = "", [HostAnnotation.registrationNamespace]: namespace } =
    annotations;
  const found = cache.get(ElementalRegistration, { name, namespace: namespace ?? host.metadata.namespace ?? "" });
  return found !== undefined && !isBeingDeleted(found);
};

/** Returns the remaining milliseconds of the wait for a host that was never used; `undefined`: no limit. */
const patienceMs = (host: ElementalHost, cache: Cache, now: number): number | undefined => {
  if (wasUsed(host) || isRegistered(host, cache)) return undefined;
  const limitMs = reported(host, ElementalCondition.resetReady) === undefined ? silentMs : resetMs;
  return Math.max(0, Date.parse(host.metadata.deletionTimestamp ?? "") + limitMs - now);
};

const observeRemoval = ({ clock, environment: { cache }, event, object: host }: Context): Observation => {
  if (isReset(host) || isGivenUp(host)) return absent();
  if (!needsReset(host)) return removing({ step: "reset" });
  const { resetSkipped, waitingForReset } = ElementalReason;
  const patience = patienceMs(host, cache, clock.now());
  if (patience === 0) {
    const message = "its ElementalRegistration is gone, and its agent did not reset the host, which was never used";
    event({ type: "Warning", reason: resetSkipped, message: `${message}; reset it before it registers again` });
    return absent();
  }
  const message = "the agent of the host is to reset it";
  return removing({ reason: waitingForReset, message, ...(patience !== undefined && { pollMs: patience }) });
};

const observe = (context: Context): Observation => {
  const { object: host } = context;
  if (isBeingDeleted(host)) return observeRemoval(context);
  const facts = {
    conditions: conditionsOf(host),
    ...(host.spec?.components !== undefined && { status: { components: { desired: host.spec.components.digest } } }),
  };
  const waiting = waitingFor(host);
  return waiting === undefined
    ? present(facts)
    : pending({ ...facts, reason: waiting.reason, message: waiting.message });
};

const agentConditions: readonly string[] = [
  ElementalCondition.installationReady,
  ElementalCondition.bootstrapReady,
  ElementalCondition.componentsReady,
  ElementalCondition.resetReady,
];

/** Matches changes in the conditions that agents report, on which the status of the host as a whole depends. */
const reportsChanged = changesIn(
  ...agentConditions.map((type) => (host: KubeObject) => JSON.stringify(reported(host, type))),
);

/**
 * The registration under which the agent of a host in use asks: without it the host could neither report nor be reset. A host that no one
 * uses does not keep its registration, which would otherwise not go before all spare hosts are deleted, too.
 */
const registrationOf = (host: KubeObject): ObjectRef | undefined => {
  if (hostMark.of(host) === undefined && !isBeingDeleted(host)) return undefined;
  const { annotations = {}, namespace } = host.metadata;
  const { [HostAnnotation.registrationName]: name, [HostAnnotation.registrationNamespace]: place } = annotations;
  return name === undefined || place !== namespace ? undefined : { name };
};

/** Hosts: what their agents report becomes conditions, and none goes before it has been reset. */
export const elementalHost = (): ControllerV1 =>
  managedObject<ElementalHost>({
    kind: ElementalHost,
    noun: "the host",
    sources: [watch<ElementalHost>(ElementalHost, { when: reportsChanged })],
    finalizer: elementalFinalizer,
    holds: [{ kind: ElementalRegistration, of: ({ object }) => registrationOf(object) }],
    observe: async (context) => observe(context),
    steps: {
      reset: async ({ changes }) => {
        await changes.writeNow({ metadata: { labels: { [HostLabel.needsReset]: "true" } } });
      },
    },
    pace: { pendingMs: undefined, driftMs: undefined },
  });
