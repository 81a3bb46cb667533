import { type CapstanError, isCapstanError, rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { requireAdmitted } from "@capstan/kit/admission";
import { isOwnedBy, ownerReferenceTo } from "@capstan/kube";
import { isBeingDeleted } from "@capstan/kube-values";
import { controller, type ReconcileContext, type Result, watch, watchMapped, watchOwned } from "@capstan/runtime";
import { type KubeObject, type Resource, sameJson } from "@capstan/schema";
import { BmcJob } from "../api/bmc-job.ts";
import { BmcMachine } from "../api/bmc-machine.ts";
import { BmcTask } from "../api/bmc-task.ts";
import { isBeingRestored, isBmcConditionTrue, withBmcCondition, type BmcCondition } from "./bmc-conditions.ts";

/** By which the Tasks of a Job are found. */
const ownerLabel = "owner-name";
/** Until a Task of a Job that had the same name before is gone. */
const leftoverMs = 1000;

type Status = NonNullable<BmcJob["status"]>;

/** Has the Tasks of Jobs carried out, one after another. */
export const bmcJobController = (): ControllerV1 =>
  controller({
    name: "bmc-job",
    permissions: {
      own: [
        watched(BmcJob),
        permission(BmcJob, ["patch"], { subresource: "status" }),
        watched(BmcTask, ["create"]),
        watched(BmcMachine),
        ...eventPermissions,
      ],
    },
    sources: [
      watch(BmcJob),
      watchOwned(BmcTask, BmcJob, { contents: "full" }),
      watchMapped(BmcMachine, ({ metadata }, { cache }) =>
        cache
          .list(BmcJob)
          .filter(({ spec }) => isSameKey(spec?.machineRef, metadata))
          .map((job) => ({ namespace: job.metadata.namespace ?? "", name: job.metadata.name ?? "" })),
      ),
    ],
    reconcile: async (request, context) => {
      const job = context.cache.get(BmcJob, request);
      if (job?.spec === undefined || isBeingDeleted(job) || isBeingRestored(job)) return;
      if (isOver(job.status?.conditions)) return;
      return advance(job, context);
    },
  });

interface Key {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

const isSameKey = (a: Key | undefined, b: Key): boolean => a?.name === b.name && a?.namespace === b.namespace;

const isOver = (conditions: readonly BmcCondition[] | undefined): boolean =>
  isBmcConditionTrue(conditions, "Completed") || isBmcConditionTrue(conditions, "Failed");

const taskName = (job: BmcJob, index: number): string => `${job.metadata.name}-task-${index}`;

/** Why the references of a Job, or of its Machine, may not be followed. */
const refusal = async (
  context: ReconcileContext,
  kind: Resource,
  object: KubeObject,
): Promise<CapstanError | undefined> => {
  try {
    await requireAdmitted(context, kind, object);
    return undefined;
  } catch (error) {
    if (isCapstanError(error, "references.not_admitted")) return error;
    throw error;
  }
};

const held = async (job: BmcJob, { message, retry }: CapstanError, context: ReconcileContext): Promise<Result> => {
  await write(job, { conditions: conditionsOf(job, { type: "Running", status: "False", message }) }, context);
  return retry.kind === "after" ? { requeueAfterMs: retry.ms } : {};
};

const advance = async (job: BmcJob, context: ReconcileContext): Promise<Result | void> => {
  const refused = await refusal(context, BmcJob, job);
  if (refused !== undefined) return held(job, refused, context);
  const { cache, clock } = context;
  const { machineRef, tasks } = job.spec!;
  const machine = cache.get(BmcMachine, machineRef);
  if (machine?.spec === undefined) {
    const message = `spec.machineRef: there is no Machine ${machineRef.namespace}/${machineRef.name} of the group ${BmcMachine.group}; make it, or correct the reference`;
    return write(job, { conditions: conditionsOf(job, { type: "Running", status: "False", message }) }, context);
  }
  // Tasks get its connection, and are admitted with the rights of whoever runs this.
  const unfit = await refusal(context, BmcMachine, machine);
  if (unfit !== undefined) return held(job, unfit, context);
  const startTime = job.status?.startTime ?? rfc3339(clock.now());
  for (const [index, action] of tasks.entries()) {
    const name = taskName(job, index);
    const task = cache.get(BmcTask, { namespace: job.metadata.namespace ?? "", name });
    if (task !== undefined && !isOwnedBy(task, job)) return { requeueAfterMs: leftoverMs };
    const { conditions } = task?.status ?? {};
    if (isBmcConditionTrue(conditions, "Completed")) continue;
    const said = conditions?.filter(({ message }) => message !== undefined) ?? [];
    // What it waited for before it failed is no longer of interest.
    const told = said.find(({ type }) => type === "Failed") ?? said[0];
    const why = `Task ${name}: ${told?.message ?? "failed"}`;
    if (isBmcConditionTrue(conditions, "Failed")) return fail(job, why, context);
    const message = told === undefined ? undefined : why;
    await write(job, { startTime, conditions: conditionsOf(job, running(message)) }, context);
    if (task === undefined) await createTask(job, { name, action, connection: machine.spec.connection }, context);
    return undefined;
  }
  const conditions = withBmcCondition(conditionsOf(job, { type: "Running", status: "False" }), {
    type: "Completed",
    status: "True",
  });
  return write(job, { startTime, completionTime: rfc3339(clock.now()), conditions }, context);
};

const running = (message: string | undefined): BmcCondition => ({
  type: "Running",
  status: "True",
  ...(message === undefined ? {} : { message }),
});

const conditionsOf = (job: BmcJob, condition: BmcCondition) => withBmcCondition(job.status?.conditions, condition);

const fail = async (job: BmcJob, message: string, context: ReconcileContext): Promise<void> => {
  context.events.event(job, { type: "Warning", reason: "JobFailed", message });
  const stopped = conditionsOf(job, { type: "Running", status: "False" });
  await write(job, { conditions: withBmcCondition(stopped, { type: "Failed", status: "True", message }) }, context);
};

interface NewTask {
  readonly name: string;
  readonly action: NonNullable<BmcTask["spec"]>["task"];
  readonly connection: NonNullable<BmcMachine["spec"]>["connection"];
}

const createTask = async (
  job: BmcJob,
  { name, action, connection }: NewTask,
  { client, signal }: ReconcileContext,
): Promise<void> => {
  const { namespace = "", name: owner = "" } = job.metadata;
  const task: BmcTask = {
    apiVersion: job.apiVersion,
    kind: BmcTask.kind,
    metadata: {
      namespace,
      name,
      labels: { [ownerLabel]: owner },
      ownerReferences: [ownerReferenceTo(job, { controller: true, blockOwnerDeletion: true })],
    },
    spec: { task: action, connection },
  };
  await client.create(BmcTask, task, { signal });
};

const write = async (job: BmcJob, status: Partial<Status>, { client, signal }: ReconcileContext): Promise<void> => {
  const before = job.status ?? {};
  if (sameJson({ ...before, ...status }, before)) return;
  const { namespace = "", name = "" } = job.metadata;
  await client.patch(
    BmcJob,
    { namespace, name },
    { type: "merge", body: { status } },
    { subresource: "status", signal },
  );
};
