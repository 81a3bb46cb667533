import { isCapstanError, type Clock } from "@capstan/contract";
import { mergePatchOf } from "@capstan/contract/patch";
import type { Cache, Client, EventRecorder } from "@capstan/kube";
import { byText, keyOf, type ObjectKey } from "@capstan/kube-values";
import { Hardware } from "../api/hardware.ts";
import { Workflow, type WorkflowStatus } from "../api/workflow.ts";
import { firstOf, hardwareOfAgent, hardwareSharing } from "../hardware/same-machine.ts";
import { WorkflowReason } from "../workflow/names.ts";
import { stateOf } from "../workflow/status.ts";
import { notFound, unavailable } from "./rpc-failure.ts";

const byAgent = "tinkerbell/workflow-agent";
const byName = "tinkerbell/workflow-name";

const agentOf = ({ status }: Workflow): readonly string[] => (status?.agentID === undefined ? [] : [status.agentID]);
const nameOf = ({ metadata }: Workflow): readonly string[] => [metadata.name ?? ""];

/** Tries of a write that another user was faster with. */
const mostTries = 5;

export interface StoreParts {
  readonly cache: Cache;
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
}

/** Workflows as agents need them: found by agent, and changed in their status alone. */
export interface WorkflowStore {
  /** From the oldest on. */
  readonly ofAgent: (agentId: string) => readonly Workflow[];
  readonly ofName: (name: string) => readonly Workflow[];
  /** As it is now, not as it is in the cache: agents give up when a report finds nothing. */
  readonly read: (key: ObjectKey, signal: AbortSignal) => Promise<Workflow>;
  /** Writes what `change` makes of the present status; again, if another user was faster. */
  readonly change: (
    key: ObjectKey,
    change: (workflow: Workflow) => WorkflowStatus,
    signal: AbortSignal,
  ) => Promise<void>;
}

const age = ({ metadata }: Workflow): string => `${metadata.creationTimestamp ?? ""} ${metadata.name ?? ""}`;

/**
 * Not those for Hardware in whose place another one counts, nor those of another namespace than the agent's Hardware: they must not run on
 * its machine.
 */
const isServed = (cache: Cache, { metadata: { namespace = "" }, spec }: Workflow, agentId: string): boolean => {
  const { hardwareRef: name = "" } = spec ?? {};
  const own = hardwareOfAgent(cache, agentId);
  if (own !== undefined && own.metadata.namespace !== namespace) return false;
  const hardware = name === "" ? undefined : cache.get(Hardware, { namespace, name });
  return hardware === undefined || firstOf(hardware, hardwareSharing(cache, hardware)) === undefined;
};

/** Declares what agents are found by, on a cache that does not run yet. */
export const indexWorkflows = (cache: Cache): void => {
  const informer = cache.informer(Workflow);
  informer.addIndex(byAgent, agentOf);
  informer.addIndex(byName, nameOf);
};

const report = (events: EventRecorder, before: Workflow, status: WorkflowStatus): void => {
  const state = stateOf(status);
  if (state === stateOf(before.status) || (state !== "FAILED" && state !== "TIMEOUT")) return;
  const { actionID = "", actionName = "", agentID = "" } = status.currentState ?? {};
  const action = status.tasks?.flatMap(({ actions }) => actions).find(({ id }) => id === actionID);
  const message = `the action ${JSON.stringify(actionName)} ended with ${state} on agent ${agentID}: ${action?.message ?? ""}`;
  events.event(before, { type: "Warning", reason: WorkflowReason.failed, message });
};

export const workflowStore = ({ cache, client, clock, events }: StoreParts): WorkflowStore => {
  const read = async (key: ObjectKey, signal: AbortSignal): Promise<Workflow> => {
    const workflow = await client.find(Workflow, key, { signal });
    if (workflow === undefined) throw notFound();
    return workflow;
  };
  const write = async (before: Workflow, status: WorkflowStatus, signal: AbortSignal): Promise<void> => {
    const change = mergePatchOf(before.status ?? {}, status);
    if (change === undefined) return;
    const body = { metadata: { resourceVersion: before.metadata.resourceVersion }, status: change };
    await client.patch(Workflow, keyOf(before), { type: "merge", body }, { subresource: "status", signal });
    report(events, before, status);
  };
  return {
    ofAgent: (agentId) =>
      cache
        .byIndex(Workflow, byAgent, agentId)
        .filter((workflow) => isServed(cache, workflow, agentId))
        .toSorted((a, b) => byText(age(a), age(b))),
    ofName: (name) => cache.byIndex(Workflow, byName, name),
    read,
    change: async (key, change, signal) => {
      for (let tries = 1; tries <= mostTries; tries += 1) {
        const workflow = await read(key, signal);
        try {
          return await write(workflow, change(workflow), signal);
        } catch (error) {
          if (!isCapstanError(error) || error.code !== "kube.conflict") throw error;
          await clock.sleep(tries * 20, { signal });
        }
      }
      throw unavailable("the workflow changes too often");
    },
  };
};
