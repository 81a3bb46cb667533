import { rfc3339 } from "@capstan/contract";
import { requireAdmitted } from "@capstan/kit/admission";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { SecretResource } from "@capstan/contract/wire";
import type { ControllerV1 } from "@capstan/contract/v1";
import {
  annotationsChanged,
  anyOf,
  controller,
  generationChanged,
  type ReconcileContext,
  watch,
} from "@capstan/runtime";
import { BmcMachine } from "../api/bmc-machine.ts";
import { withBmcCondition } from "./bmc-conditions.ts";
import type { PowerState } from "./bmc.ts";
import { type BmcWay, openBmc } from "./open-bmc.ts";

/** Interval between checks of a machine's power, and a shorter one while its board management does not answer. */
const pollMs = { settled: 180_000, failing: 30_000 } as const;

interface Look {
  readonly powerState: PowerState;
  readonly problem?: string;
}

/** Keeps the power of machines in their status, and whether their board management can be reached. */
export const bmcMachineController = (way: BmcWay): ControllerV1 =>
  controller({
    name: "bmc-machine",
    permissions: {
      own: [
        watched(BmcMachine),
        permission(BmcMachine, ["patch"], { subresource: "status" }),
        permission(SecretResource, ["get"]),
        ...eventPermissions,
      ],
    },
    sources: [watch(BmcMachine, { when: anyOf(generationChanged, annotationsChanged) })],
    reconcile: async (request, context) => {
      const machine = context.cache.get(BmcMachine, request);
      // One that is being deleted may still have to switch its machine off.
      if (machine?.spec === undefined) return;
      const look = await lookAt(machine, context, way);
      await report(machine, look, context);
      return { requeueAfterMs: look.problem === undefined ? pollMs.settled : pollMs.failing };
    },
  });

const lookAt = async (machine: BmcMachine, context: ReconcileContext, way: BmcWay): Promise<Look> => {
  const { namespace, name } = machine.metadata;
  try {
    await requireAdmitted(context, BmcMachine, machine);
    const bmc = await openBmc(machine.spec!.connection, `Machine ${namespace}/${name}`, { ...context, ...way });
    try {
      return { powerState: await bmc.powerState() };
    } finally {
      await bmc.close();
    }
  } catch (error) {
    context.signal.throwIfAborted();
    return { powerState: "unknown", problem: (error as Error).message };
  }
};

const report = async (machine: BmcMachine, look: Look, context: ReconcileContext): Promise<void> => {
  const { client, clock, events, signal } = context;
  const { namespace = "", name = "" } = machine.metadata;
  const { powerState, problem } = look;
  const before = machine.status?.conditions;
  const conditions = withBmcCondition(before, {
    type: "Contactable",
    status: problem === undefined ? "True" : "False",
    ...(problem === undefined ? {} : { message: problem }),
    lastUpdateTime: rfc3339(clock.now()),
  });
  if (conditions === before && machine.status?.powerState === powerState) return;
  if (conditions !== before && problem !== undefined) {
    events.event(machine, { type: "Warning", reason: "NotContactable", message: problem });
  }
  const body = { status: { powerState, conditions } };
  await client.patch(BmcMachine, { namespace, name }, { type: "merge", body }, { subresource: "status", signal });
};
