import { rfc3339 } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { keyOf } from "@capstan/kube-values";
import { controller, watch } from "@capstan/runtime";
import { BmcJob, Workflow } from "@capstan/tinkerbell/api";

/** Called for everything that a machine, or its board, is told to do. */
type OnWork = (method: string, family: string) => void;

/** Each step of a workflow takes so long, as that of an installation takes minutes. */
const stepMs = 10_000;
const workflowStates = ["PENDING", "RUNNING", "SUCCESS"] as const;
/** From the first state of a workflow to its last. */
export const installMs = stepMs * (workflowStates.length - 1);

const workflows = (onWork: OnWork) => {
  /** When a workflow continues, by its uid. */
  const dueAt = new Map<string, number>();
  return controller({
    name: "workflows",
    sources: [watch(Workflow)],
    reconcile: async (request, { cache, client, clock, signal }) => {
      const workflow = cache.get(Workflow, request);
      const uid = workflow?.metadata.uid ?? "";
      const waitMs = (dueAt.get(uid) ?? 0) - clock.now();
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const at = workflowStates.findIndex((state) => state === workflow?.status?.state);
      const state = workflowStates[at + 1];
      if (workflow === undefined || state === undefined) return undefined;
      if (at < 0) onWork("POST", "workflow");
      dueAt.set(uid, clock.now() + stepMs);
      const body = { status: { state, agentID: "agent", templateRendering: "successful", tasks: [] } };
      await client.patch(Workflow, keyOf(workflow), { type: "merge", body }, { subresource: "status", signal });
      return { requeueAfterMs: stepMs };
    },
  });
};

const jobs = (onWork: OnWork) =>
  controller({
    name: "jobs",
    sources: [watch(BmcJob)],
    reconcile: async (request, { cache, client, clock, signal }) => {
      const job = cache.get(BmcJob, request);
      if (job === undefined || (job.status?.conditions ?? []).length > 0) return undefined;
      onWork("POST", "board");
      const completed = { startTime: rfc3339(clock.now()), conditions: [{ type: "Completed", status: "True" }] };
      const body = { status: completed };
      await client.patch(BmcJob, keyOf(job), { type: "merge", body }, { subresource: "status", signal });
      return undefined;
    },
  });

/** Plays Tinkerbell for a fleet: every workflow succeeds after some seconds, and every board does what it is told. */
export const tinkerbellPart = (onWork: OnWork): ProviderV1 =>
  defineProvider({
    name: "tinkerbell",
    kinds: [],
    register: (host) => {
      host.add(workflows(onWork));
      host.add(jobs(onWork));
    },
  });
