import { bootFailed } from "../errors.ts";
import { isCapstanError } from "@capstan/contract";
import { ownerReferenceTo } from "@capstan/kube";
import { apiVersionOf } from "@capstan/schema";
import { BmcJob } from "../api/bmc-job.ts";
import { BmcTask } from "../api/bmc-task.ts";
import type { WorkflowStatus } from "../api/workflow.ts";
import type { BootJob } from "./boot-actions.ts";
import { autoCreated, ownerNameLabel, WorkflowCondition, WorkflowReason } from "./names.ts";
import { withCondition } from "./status.ts";
import { hardwareName, hardwareOf, type Outcome, type Visit } from "./visit.ts";

type JobMark = NonNullable<NonNullable<WorkflowStatus["bootOptions"]>["jobs"]>[string];

const kind = { name: apiVersionOf(BmcJob), job: BmcJob.kind };

/** The status with what is known of a Job. */
const marked = (status: WorkflowStatus, name: string, mark: JobMark): WorkflowStatus => {
  const jobs = { ...status.bootOptions?.jobs, [name]: { ...status.bootOptions?.jobs?.[name], ...mark } };
  return { ...status, bootOptions: { ...status.bootOptions, jobs } };
};

const said = (visit: Visit, status: WorkflowStatus, type: string, reason: string, message: string): WorkflowStatus =>
  withCondition(status, { type, status: "True", reason, message }, visit.context.clock);

/** A Job of this name from before goes, with its Tasks. */
const deleteOld = async ({ context, workflow }: Visit, name: string): Promise<void> => {
  const { client, signal } = context;
  const { namespace = "" } = workflow.metadata;
  const old = await client.find(BmcJob, { namespace, name }, { signal });
  if (old === undefined) return;
  await client.delete(BmcJob, { namespace, name }, { signal });
  const { items } = await client.list(BmcTask, { namespace, labelSelector: `${ownerNameLabel}=${name}`, signal });
  for (const task of items) await client.delete(BmcTask, { namespace, name: task.metadata.name ?? "" }, { signal });
};

const create = async (visit: Visit, name: string, { actions }: BootJob): Promise<BmcJob> => {
  const { context, workflow } = visit;
  const { namespace = "" } = workflow.metadata;
  const bmc = hardwareOf(visit)?.spec?.bmcRef;
  if (bmc === undefined) {
    throw bootFailed(`${hardwareName(workflow)} has no spec.bmcRef, so that nothing can boot the machine`);
  }
  const job: BmcJob = {
    apiVersion: kind.name,
    kind: kind.job,
    metadata: {
      namespace,
      name,
      labels: { [autoCreated]: "true" },
      annotations: { [autoCreated]: "true" },
      ownerReferences: [ownerReferenceTo(workflow, { controller: true })],
    },
    spec: { machineRef: { name: bmc.name, namespace }, tasks: actions },
  };
  try {
    return await context.client.create<BmcJob>(BmcJob, job, { signal: context.signal });
  } catch (error) {
    if (!isCapstanError(error) || error.code !== "kube.already_exists") throw error;
    const present = await context.client.get(BmcJob, { namespace, name }, { signal: context.signal });
    // Made before a crash, and not noted: it is this workflow's.
    if (present.metadata.ownerReferences?.some(({ uid }) => uid === workflow.metadata.uid) === true) return present;
    throw error;
  }
};

const conditionOf = ({ status }: BmcJob, type: string) =>
  status?.conditions?.find((each) => each.type === type && each.status === "True");

/**
 * Has board management do something, once: a Job of before goes, a new one is made, and then waited for. `undefined` when it is done.
 * Throws when it fails.
 */
export const runBootJob = async (visit: Visit, job: BootJob): Promise<Outcome | undefined> => {
  const { context, status, workflow } = visit;
  const { namespace = "" } = workflow.metadata;
  const name = `${job.prefix}-${workflow.metadata.name ?? ""}`;
  const mark = status.bootOptions?.jobs?.[name];
  if (mark?.complete === true) return undefined;
  if (mark?.existingJobDeleted !== true) {
    await deleteOld(visit, name);
    return { status: marked(status, name, { existingJobDeleted: true }) };
  }
  if (mark.uid === undefined) {
    const { metadata } = await create(visit, name, job);
    const next = marked(status, name, { uid: metadata.uid ?? "" });
    return {
      status: said(
        visit,
        next,
        WorkflowCondition.bootJobSetupComplete,
        WorkflowReason.created,
        `Job ${namespace}/${name} was made`,
      ),
    };
  }
  const present = context.cache.get(BmcJob, { namespace, name });
  const failed = present && conditionOf(present, "Failed");
  if (failed !== undefined) {
    throw bootFailed(`Job ${namespace}/${name} failed: ${failed.message ?? "it says nothing more"}`);
  }
  if (present !== undefined && conditionOf(present, "Completed") !== undefined) {
    const next = marked(status, name, { complete: true });
    return {
      status: said(
        visit,
        next,
        WorkflowCondition.bootJobComplete,
        WorkflowReason.complete,
        `Job ${namespace}/${name} is done`,
      ),
    };
  }
  // A Job that someone deleted is known to the API server alone; the cache may be late.
  if (
    present === undefined &&
    (await context.client.find(BmcJob, { namespace, name }, { signal: context.signal })) === undefined
  ) {
    throw bootFailed(`Job ${namespace}/${name} was deleted before it was done`);
  }
  return {
    status: said(
      visit,
      status,
      WorkflowCondition.bootJobRunning,
      WorkflowReason.created,
      `Job ${namespace}/${name} is under way`,
    ),
    requeueAfterMs: pollMs,
  };
};

/** A Job that changes wakes its workflow; this is for events that were missed. */
const pollMs = 30_000;
