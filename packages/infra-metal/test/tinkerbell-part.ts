import { rfc3339 } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { keyOf, keyText } from "@capstan/kube-values";
import { controller, watch } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { BmcJob, Workflow } from "@capstan/tinkerbell/api";
import type { ReconcileContext } from "@capstan/runtime";

/** How Tinkerbell fares; tests change it while it works. */
export interface TinkerbellMood {
  /** What goes wrong with workflows, if anything does. */
  failure?: string | undefined;
  /** Nothing that board management has to do continues. */
  stuck?: boolean;
  /** What board management says instead of switching machines off. */
  bmcFailure?: string | undefined;
}

const stepMs = 1000;

const actions = ["write", "boot"].map((name) => ({ name, id: `id-of-${name}` }));

const tasks = (state: string, message = "") => [
  { id: "task", name: "install", agentID: "agent", actions: actions.map((action) => ({ ...action, state, message })) },
];

const next = (state: string, failure: string | undefined): object | undefined => {
  switch (state) {
    case "":
      return { state: "PENDING", agentID: "agent", templateRendering: "successful", tasks: tasks("PENDING") };
    case "PENDING":
      return { state: "RUNNING", currentState: { actionID: "id-of-write" } };
    case "RUNNING":
      return failure === undefined
        ? { state: "SUCCESS", tasks: tasks("SUCCESS") }
        : { state: "FAILED", tasks: tasks("FAILED", failure) };
    default:
      return undefined;
  }
};

const say = async (kind: Resource, object: KubeObject, status: object, { client, signal }: ReconcileContext) =>
  client.patch(kind, keyOf(object), { type: "merge", body: { status } }, { subresource: "status", signal });

const workflows = (mood: TinkerbellMood) =>
  controller({
    name: "workflows",
    sources: [watch(Workflow)],
    reconcile: async (request, context) => {
      const workflow = context.cache.get(Workflow, request);
      const { state = "" } = workflow?.status ?? {};
      if (state === "PENDING" && mood.stuck === true) return { requeueAfterMs: stepMs };
      const status = workflow && next(state, mood.failure);
      if (workflow === undefined || status === undefined) return undefined;
      await say(Workflow, workflow, status, context);
      return { requeueAfterMs: stepMs };
    },
  });

const jobs = (mood: TinkerbellMood, off: string[]) =>
  controller({
    name: "jobs",
    sources: [watch(BmcJob)],
    reconcile: async (request, context) => {
      const job = context.cache.get(BmcJob, request);
      if (job === undefined || (job.status?.conditions ?? []).length > 0) return undefined;
      if (mood.stuck === true) return { requeueAfterMs: stepMs };
      const { bmcFailure: message } = mood;
      const outcome = { type: message === undefined ? "Completed" : "Failed", status: "True", message };
      const { name = "", namespace = "" } = job.spec?.machineRef ?? {};
      if (message === undefined) off.push(keyText({ name, namespace }));
      await say(BmcJob, job, { startTime: rfc3339(context.clock.now()), conditions: [outcome] }, context);
      return undefined;
    },
  });

/** Plays Tinkerbell's controllers and agents: workflows succeed after a while, and board management does what it is asked for. */
export const tinkerbellPart = (mood: TinkerbellMood, off: string[] = []): ProviderV1 =>
  defineProvider({
    name: "tinkerbell",
    kinds: [],
    register: (host) => {
      host.add(workflows(mood));
      host.add(jobs(mood, off));
    },
  });
