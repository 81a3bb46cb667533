import type { ControllerV1 } from "@capstan/contract/v1";
import {
  type ConditionInput,
  conditionOf,
  conditionsPatch,
  type MergePatch,
  mergePatches,
  NamespaceResource,
} from "@capstan/contract/wire";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { isGranted, whenLabelChanges } from "@capstan/kit/engine";
import type { Cache } from "@capstan/kube";
import { keyOf, keyText } from "@capstan/kube-values";
import {
  controller,
  type Environment,
  type ReconcileContext,
  type Request,
  watch,
  watchMapped,
} from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { BmcMachine } from "../api/bmc-machine.ts";
import { HardwareCondition, HardwareReason } from "../api/hardware-conditions.ts";
import { hardwareNamespaceLabel } from "../api/hardware-owner.ts";
import { Hardware } from "../api/hardware.ts";
import { machineDigest } from "./machine-record.ts";
import { byPrecedence } from "./precedence.ts";
import {
  firstOf,
  hardwareAtBoard,
  hardwareOfSameMachine,
  indexMachines,
  type OtherHardware,
  saysFirst,
  saysSecond,
} from "./same-machine.ts";

/**
 * Says of Hardware whether other Hardware describes the same machine, on both sides, and records which one counts: the first, but Hardware of
 * namespaces that an administrator trusts before that of others.
 */
export const hardwareController = (): ControllerV1 =>
  controller({
    name: "tinkerbell-hardware",
    permissions: {
      own: [
        watched(Hardware),
        // Rarely: the view of progress waits for conditions of kinds whose every status is written.
        permission(Hardware, [], { subresource: "status", rarely: { patch: "the record of what counts" } }),
        watched(BmcMachine),
        watched(NamespaceResource),
        ...eventPermissions,
      ],
    },
    setup: ({ cache }) => {
      indexMachines(cache);
      cache.informer(NamespaceResource);
    },
    sources: [
      watch(Hardware),
      watchMapped(Hardware, (hardware, { cache }) =>
        hardwareOfSameMachine(cache, hardware).map((other) => keyOf(other.hardware)),
      ),
      watchMapped(BmcMachine, (board, environment) => hardwareNear(board, environment)),
      watchMapped(NamespaceResource, hardwareIn, whenLabelChanges(hardwareNamespaceLabel)),
    ],
    reconcile: async (request, context) => {
      const hardware = context.cache.get(Hardware, request);
      if (hardware === undefined) return;
      const others = hardwareOfSameMachine(context.cache, hardware);
      await say(hardware, { others, first: firstOf(hardware, others, trustedFirst(context.cache)) }, context);
    },
  });

/** Sorts as `byPrecedence`, but Hardware of trusted namespaces before all other. */
const trustedFirst = (cache: Cache) => {
  const values = ["trusted", "shared"];
  const trust = ({ metadata: { namespace = "" } }: Hardware): number =>
    Number(isGranted(cache, namespace, hardwareNamespaceLabel, { values }));
  return (a: Hardware, b: Hardware): number => trust(b) - trust(a) || byPrecedence(a, b);
};

/** Hardware of a namespace, and other Hardware of the same machines. */
const hardwareIn = ({ metadata: { name = "" } }: KubeObject, { cache }: Environment): readonly Request[] =>
  withOthers(cache, cache.list(Hardware, { namespace: name }));

/** Hardware of some board management, and of other Machines for it. */
const hardwareNear = (board: BmcMachine, { cache }: Environment): readonly Request[] =>
  withOthers(cache, hardwareAtBoard(cache, board));

const withOthers = (cache: Cache, all: readonly Hardware[]): readonly Request[] => {
  const keys = new Map<string, Request>();
  for (const hardware of all) {
    for (const key of [hardware, ...hardwareOfSameMachine(cache, hardware).map((other) => other.hardware)].map(keyOf)) {
      keys.set(keyText(key), key);
    }
  }
  return [...keys.values()];
};

interface Judged {
  readonly others: readonly OtherHardware[];
  readonly first: OtherHardware | undefined;
}

const conditionFor = (hardware: Hardware, { first, others }: Judged): ConditionInput | undefined => {
  const type = HardwareCondition.machineUnique;
  if (others.length > 0) {
    const message = first === undefined ? saysFirst(hardware, others) : saysSecond(hardware, first);
    const reason = first === undefined ? HardwareReason.describedAgain : HardwareReason.describedBefore;
    return { type, status: "False", reason, message };
  }
  return conditionOf(hardware, type) === undefined
    ? undefined
    : { type, status: "True", reason: HardwareReason.describedOnce };
};

/** The record of the Hardware that counts; what describes no machine has none. */
const recordPatch = (hardware: Hardware, { first }: Judged): MergePatch => {
  const machine = first === undefined ? machineDigest(hardware) : "";
  if (machine === (hardware.status?.machine ?? "")) return {};
  return { status: { machine: machine === "" ? null : machine } };
};

const say = async (
  hardware: Hardware,
  judged: Judged,
  { cache, client, clock, events, log, signal }: ReconcileContext,
): Promise<void> => {
  const condition = conditionFor(hardware, judged);
  const said =
    condition === undefined
      ? {}
      : conditionsPatch(hardware, [condition], { now: clock.now(), deprecated: () => false });
  const patch = mergePatches(said, recordPatch(hardware, judged));
  if (Object.keys(patch).length === 0) return;
  const { resourceVersion } = hardware.metadata;
  const body = { ...patch, metadata: { resourceVersion } };
  const written = await client.patch(
    Hardware,
    keyOf(hardware),
    { type: "merge", body },
    { subresource: "status", signal },
  );
  // The next one is judged by this record, whenever the watch brings it.
  cache.informer(Hardware).observe(written);
  if (condition === undefined || condition.status === "True" || Object.keys(said).length === 0) return;
  events.event(hardware, { type: "Warning", reason: condition.reason, message: condition.message ?? "" });
  // The condition, which users of the namespace read, does not name these.
  const elsewhere = judged.others
    .map((other) => keyOf(other.hardware))
    .filter(({ namespace }) => namespace !== hardware.metadata.namespace);
  if (elsewhere.length === 0) return;
  log.warn("Hardware in other namespaces describes the same machine", { others: elsewhere.map(keyText) });
};
