import { type CapstanError, isCapstanError, rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { requireAdmitted } from "@capstan/kit/admission";
import { isBeingDeleted } from "@capstan/kube-values";
import { sameJson } from "@capstan/schema";
import {
  annotationsChanged,
  anyOf,
  controller,
  generationChanged,
  type ReconcileContext,
  type Result,
  watch,
} from "@capstan/runtime";
import { BmcTask } from "../api/bmc-task.ts";
import type { PowerState } from "./bmc.ts";
import { isBeingRestored, isBmcConditionTrue, withBmcCondition } from "./bmc-conditions.ts";
import { invalidConnection } from "./errors.ts";
import { type BmcWay, openBmc } from "./open-bmc.ts";
import { finalPower, performAction } from "./perform-action.ts";

/** Maximum time for one action of board management. */
const limitMs = 600_000;
/** Until power is looked at again, and until one that does not answer is asked again. */
const againMs = { power: 3000, failure: 10_000 } as const;

type Status = NonNullable<BmcTask["status"]>;

/** Has board management carry out Tasks. One that does not answer is asked again until the time of the Task is up. */
export const bmcTaskController = (way: BmcWay): ControllerV1 =>
  controller({
    name: "bmc-task",
    permissions: {
      own: [
        watched(BmcTask),
        permission(BmcTask, ["patch"], { subresource: "status" }),
        permission(SecretResource, ["get"]),
        ...eventPermissions,
      ],
    },
    sources: [watch(BmcTask, { when: anyOf(generationChanged, annotationsChanged) })],
    reconcile: async (request, context) => {
      const task = context.cache.get(BmcTask, request);
      if (task?.spec === undefined || isBeingDeleted(task) || isBeingRestored(task) || isOver(task)) return;
      return new TaskRun(task, context, way).step();
    },
  });

const isOver = ({ status }: BmcTask): boolean =>
  isBmcConditionTrue(status?.conditions, "Completed") || isBmcConditionTrue(status?.conditions, "Failed");

class TaskRun {
  readonly #task: BmcTask;
  readonly #context: ReconcileContext;
  readonly #way: BmcWay;

  constructor(task: BmcTask, context: ReconcileContext, way: BmcWay) {
    this.#task = task;
    this.#context = context;
    this.#way = way;
  }

  async step(): Promise<Result | void> {
    const { signal } = this.#context;
    try {
      return await this.#advance();
    } catch (error) {
      signal.throwIfAborted();
      if (!isCapstanError(error) || !/^(?:tink|references)\./.test(error.code)) throw error;
      return this.#failed(error);
    }
  }

  async #advance(): Promise<Result | void> {
    const { clock } = this.#context;
    const waiting = await this.#work();
    if (waiting === undefined) return this.#end();
    const { spec, status } = this.#task;
    const { powerAction = "" } = spec!.task;
    const { is, wanted } = waiting;
    if (this.#late()) {
      const minutes = limitMs / 60_000;
      return this.#fail(`the power was not ${wanted} within ${minutes} minutes after ${powerAction}; it is ${is}`);
    }
    const message = `board management accepted ${powerAction}; the power is ${is}, waiting for ${wanted}`;
    // The start time says that the action was sent, so that it is not sent again.
    await this.#write({
      startTime: status?.startTime ?? rfc3339(clock.now()),
      conditions: withBmcCondition(status?.conditions, { type: "Completed", status: "False", message }),
    });
    return { requeueAfterMs: againMs.power };
  }

  async #failed({ message, retry }: CapstanError): Promise<Result | void> {
    if (retry.kind === "never" || this.#late()) return this.#fail(message);
    const waiting = { type: "Completed", status: "False", message };
    await this.#write({ conditions: withBmcCondition(this.#task.status?.conditions, waiting) });
    return { requeueAfterMs: againMs.failure };
  }

  /** Returns the power that is waited for, and the present one; `undefined` once the action is done. */
  async #work(): Promise<{ readonly wanted: PowerState; readonly is: PowerState } | undefined> {
    const { spec, status } = this.#task;
    const { task, connection } = spec!;
    const owner = `Task ${this.#task.metadata.namespace}/${this.#task.metadata.name}`;
    await requireAdmitted(this.#context, BmcTask, this.#task);
    if (connection === undefined) throw invalidConnection(`${owner}: spec.connection is missing; add it`);
    const bmc = await openBmc(connection, owner, { ...this.#context, ...this.#way });
    try {
      if (status?.startTime === undefined) await performAction(task, bmc, owner);
      const wanted = finalPower(task);
      if (wanted === undefined) return undefined;
      const is = await bmc.powerState();
      return is === wanted ? undefined : { wanted, is };
    } finally {
      await bmc.close();
    }
  }

  #late(): boolean {
    const { creationTimestamp = "" } = this.#task.metadata;
    const began = Date.parse(this.#task.status?.startTime ?? creationTimestamp);
    return this.#context.clock.now() - began > limitMs;
  }

  async #end(): Promise<void> {
    const now = rfc3339(this.#context.clock.now());
    const startTime = this.#task.status?.startTime ?? now;
    const conditions = withBmcCondition(this.#task.status?.conditions, { type: "Completed", status: "True" });
    await this.#write({ startTime, completionTime: now, conditions });
  }

  async #fail(message: string): Promise<void> {
    this.#context.events.event(this.#task, { type: "Warning", reason: "TaskFailed", message });
    const conditions = withBmcCondition(this.#task.status?.conditions, { type: "Failed", status: "True", message });
    await this.#write({ conditions });
  }

  /** One patch, if anything is different. */
  async #write(status: Partial<Status>): Promise<void> {
    const before = this.#task.status ?? {};
    const changes = Object.entries(status).filter(([name, value]) => !sameJson(before[name as keyof Status], value));
    if (changes.length === 0) return;
    const { namespace = "", name = "" } = this.#task.metadata;
    const { client, signal } = this.#context;
    const body = { status: Object.fromEntries(changes) };
    await client.patch(BmcTask, { namespace, name }, { type: "merge", body }, { subresource: "status", signal });
  }
}
