import type { ControllerV1 } from "@capstan/contract/v1";
import { type ConditionInput, conditionOf, conditionsPatch } from "@capstan/contract/wire";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { keyOf, keyText } from "@capstan/kube-values";
import {
  controller,
  type Environment,
  type ReconcileContext,
  type Request,
  watch,
  watchMapped,
} from "@capstan/runtime";
import { BmcMachine } from "../api/bmc-machine.ts";
import { HardwareCondition, HardwareReason } from "../api/hardware-conditions.ts";
import { Hardware } from "../api/hardware.ts";
import {
  firstOf,
  hardwareAtBoard,
  hardwareOfSameMachine,
  indexMachines,
  type OtherHardware,
  saysFirst,
  saysSecond,
} from "./same-machine.ts";

/** Says of Hardware whether other Hardware describes the same machine, on both sides. It writes nothing about what is described once. */
export const hardwareController = (): ControllerV1 =>
  controller({
    name: "tinkerbell-hardware",
    permissions: {
      own: [
        watched(Hardware),
        permission(Hardware, [], { subresource: "status", rarely: { patch: "other Hardware of the same machine" } }),
        watched(BmcMachine),
        ...eventPermissions,
      ],
    },
    setup: ({ cache }) => indexMachines(cache),
    sources: [
      watch(Hardware),
      watchMapped(Hardware, (hardware, { cache }) =>
        hardwareOfSameMachine(cache, hardware).map((other) => keyOf(other.hardware)),
      ),
      watchMapped(BmcMachine, (board, environment) => hardwareNear(board, environment)),
    ],
    reconcile: async (request, context) => {
      const hardware = context.cache.get(Hardware, request);
      if (hardware === undefined) return;
      await say(hardware, hardwareOfSameMachine(context.cache, hardware), context);
    },
  });

/** Hardware of some board management, and of other Machines for it. */
const hardwareNear = (board: BmcMachine, { cache }: Environment): readonly Request[] => {
  const keys = new Map<string, Request>();
  for (const hardware of hardwareAtBoard(cache, board)) {
    for (const key of [hardware, ...hardwareOfSameMachine(cache, hardware).map((other) => other.hardware)].map(keyOf)) {
      keys.set(keyText(key), key);
    }
  }
  return [...keys.values()];
};

const conditionFor = (hardware: Hardware, others: readonly OtherHardware[]): ConditionInput | undefined => {
  const type = HardwareCondition.machineUnique;
  if (others.length > 0) {
    const first = firstOf(hardware, others);
    const message = first === undefined ? saysFirst(hardware, others) : saysSecond(hardware, first);
    const reason = first === undefined ? HardwareReason.describedAgain : HardwareReason.describedBefore;
    return { type, status: "False", reason, message };
  }
  return conditionOf(hardware, type) === undefined
    ? undefined
    : { type, status: "True", reason: HardwareReason.describedOnce };
};

const say = async (
  hardware: Hardware,
  others: readonly OtherHardware[],
  { client, clock, events, signal }: ReconcileContext,
): Promise<void> => {
  const condition = conditionFor(hardware, others);
  if (condition === undefined) return;
  const patch = conditionsPatch(hardware, [condition], { now: clock.now(), deprecated: () => false });
  if (Object.keys(patch).length === 0) return;
  const { resourceVersion } = hardware.metadata;
  const body = { ...patch, metadata: { resourceVersion } };
  await client.patch(Hardware, keyOf(hardware), { type: "merge", body }, { subresource: "status", signal });
  if (condition.status === "True") return;
  events.event(hardware, { type: "Warning", reason: condition.reason, message: condition.message ?? "" });
};
