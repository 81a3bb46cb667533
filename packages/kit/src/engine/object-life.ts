import { rfc3339 } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { mergePatches } from "@capstan/contract/wire";
import { isBeingDeleted, keyText, keyOf } from "@capstan/kube-values";
import type { ReconcileContext, Request, Result } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { Around } from "./author.ts";
import { concludeFailure, notePaused } from "./conclude.ts";
import type { Verdict } from "./conditions.ts";
import { isReady } from "./conditions.ts";
import { SecretReader } from "./credentials.ts";
import type { Known, Next } from "./decide.ts";
import { decide, decideRemoval } from "./decide.ts";
import { FailedLooks } from "./failed-looks.ts";
import { slowRetryMs } from "./failures.ts";
import { heldFinalizers, isHeld, releasedFinalizers } from "./finalizers.ts";
import type { LifeTypes } from "./object-author.ts";
import type { ObjectLifeOptions } from "./object-life-options.ts";
import type { Observation, Seen } from "./observation.ts";
import { onceEach } from "./once-each.ts";
import { recordedFacts } from "./recorded-facts.ts";
import { OpenWritesMemory } from "./open-writes.ts";
import { OperationMemory } from "./operations.ts";
import type { RunningOperation } from "./poll-operations.ts";
import { dueMark, installationFor, judgeMarks, newClaim } from "./installation-checks.ts";
import { mintedOwner } from "./owner.ts";
import { outcomeOf } from "./poll-operations.ts";
import { LifeReason, verbReason } from "./reasons.ts";
import { after, sooner, within } from "./requeue.ts";
import { ObjectSaver } from "./save/object-saver.ts";
import { isOwnField } from "./save/own-fields.ts";
import type { Statement } from "./stages.ts";
import { StageTimes } from "./stages.ts";
import { Visit } from "./visit.ts";
import { WriteHolds } from "./write-holds.ts";

/** Until something that was done and is asked for again must have shown itself. */
const againMs = 10_000;
const removalPollMs = 5000;
const operationPollMs = 5000;
const defaultPace = { pendingMs: 10_000, driftMs: 600_000 };

/** Something that an observation asks for. */
interface Write {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/**
 * The life of objects of one kind, between the author's verbs and the management API: look, decide, act, look again, conclude. It has the
 * order and what outlives a reconcile; what belongs to one reconcile is a `Visit`, which knows nothing of it.
 */
export class ObjectLife<T extends LifeTypes> {
  readonly secrets = new SecretReader();
  readonly saver: ObjectSaver<T["object"]>;
  readonly #options: ObjectLifeOptions<T>;
  readonly #pace: { readonly pendingMs: number | undefined; readonly driftMs: number | undefined };
  /** UID of the object that currently has a name. */
  readonly #uids = new Map<string, string>();
  readonly #holds: WriteHolds;
  readonly #operations = new OperationMemory();
  readonly #openWrites = new OpenWritesMemory();
  /** The last message during an operation, by uid. */
  readonly #said = new Map<string, Verdict | undefined>();
  readonly #stages = new StageTimes();
  readonly #failedLooks: FailedLooks;

  constructor(options: ObjectLifeOptions<T>) {
    const { author, contract, environment, inventory } = options;
    this.#options = options;
    // With an inventory the next list shows what came of it, and wakes the object.
    this.#pace = { ...defaultPace, ...author.pace, ...(inventory && { pendingMs: undefined, driftMs: undefined }) };
    this.saver = new ObjectSaver({ kind: author.kind, contract, mayWait: isOwnField, news: author.news });
    this.#holds = new WriteHolds(environment.clock);
    this.#failedLooks = new FailedLooks(environment.clock);
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const { author, inventory } = this.#options;
    const began = inventory?.now() ?? 0;
    const object = context.cache.get<T["object"]>(author.kind, request);
    this.#remember(request, object?.metadata.uid);
    if (object === undefined) return {};
    if (isBeingDeleted(object) && !isHeld(object, author)) {
      this.#options.holding.letGo(request);
      return {};
    }
    const alone: Around<T["more"]> = { inputs: [], more: {} };
    const around = author.around === undefined ? alone : author.around({ object, cache: context.cache });
    if (around === undefined) return {};
    const changes = this.saver.begin(object, context);
    const memories = { holds: this.#holds, openWrites: this.#openWrites, operations: this.#operations };
    const installation = await installationFor(this.#options, object, context);
    const shared = { ...memories, secrets: this.secrets, began, installation };
    const visit = new Visit({ ...this.#options, ...shared, changes, context, request, around });
    try {
      const result = await this.#work(visit, around.cluster);
      await changes.flush();
      return result;
    } catch (error) {
      return concludeFailure(visit, this.#failedLooks, error);
    }
  }

  async #work(visit: Visit<T>, cluster: KubeObject | undefined): Promise<Result> {
    const { changes } = visit;
    const { object } = changes;
    try {
      if (notePaused(changes, cluster)) {
        this.#options.author.paused?.(object.metadata.uid ?? "");
        return {};
      }
      await visit.admitted();
      const result = await (isBeingDeleted(object) ? this.#remove(visit) : this.#maintain(visit));
      changes.noteObserved();
      return visit.unheld ? within(slowRetryMs, result) : result;
    } finally {
      // Saving needs no turn at a gate.
      visit.turn.end();
    }
  }

  async #maintain(visit: Visit<T>): Promise<Result> {
    const { author, holding, inventory } = this.#options;
    const { changes } = visit;
    inventory?.holds(visit.context().identity.tag);
    const waiting = await author.waits?.(visit.context());
    if (waiting !== undefined) {
      this.#say(visit, { ready: false, ...waiting, severity: "Info" });
      return {};
    }
    await visit.connect();
    if (author.finalizer !== undefined) {
      const held = await holding.hold(visit);
      await changes.writeNow(mergePatches(this.#claim(visit), held, author.recorded?.(visit.context())));
    }
    const running = await this.#poll(visit, false);
    if (running !== undefined) return sooner(await visit.underway(), running);
    const once = onceEach();
    for (;;) {
      const observation = await this.#observe(visit);
      const write = this.#note(visit, observation, once);
      if (write === undefined) return this.#settle(visit, observation);
      if (!once(write.name)) return { requeueAfterMs: againMs };
      await write.run();
      if (visit.operations.started) return this.#pollLater(visit);
      if (inventory !== undefined) return {};
    }
  }

  /** The finalizer and the id of the owner; with them, where something will be made next, that it may be. */
  #claim(visit: Visit<T>): MergePatch {
    const { author } = this.#options;
    const { object } = visit.changes;
    const held = { metadata: { finalizers: heldFinalizers(object, author) } };
    const patch = author.connect === undefined ? held : mergePatches(held, mintedOwner(object));
    const isNew = !isHeld(object, author) && author.provision?.is(object) !== true;
    return isNew ? mergePatches(patch, visit.openWrites.announcement(), newClaim(visit)) : patch;
  }

  async #observe(visit: Visit<T>): Promise<Observation<T["facts"]>> {
    const observation = await visit.observe();
    this.#failedLooks.forget(visit.changes.object.metadata.uid ?? "");
    await judgeMarks(visit, observation, this.#options.inventory);
    return observation;
  }

  /** Puts what was seen among the changes, and returns the write that was decided on. */
  #note(visit: Visit<T>, observation: Observation<T["facts"]>, once: (name: string) => boolean): Write | undefined {
    const { author } = this.#options;
    const { changes } = visit;
    if (observation.state === "absent") changes.condition(...(observation.conditions ?? []));
    else this.#record(visit, observation, false);
    const { broken = false, next, verdict } = decide(observation, this.#known(visit));
    if (verdict !== undefined) this.#say(visit, verdict);
    if (observation.state === "present" || observation.state === "failed") this.#stages.forget(keyOf(changes.object));
    if (observation.state === "present") this.#noteProvisioned(visit, observation, once);
    if (broken) changes.mergeField(author.provision?.broken?.(changes) ?? {});
    if (next !== undefined) return this.#writeOf(visit, next, observation);
    const mark = observation.state === "absent" ? undefined : dueMark(visit, author, observation);
    return mark === undefined ? undefined : { name: "mark", run: () => visit.mark(mark, observation) };
  }

  #writeOf(visit: Visit<T>, next: Next, observation: Observation<T["facts"]>): Write {
    const facts = observation.state === "absent" ? {} : observation;
    if (next.verb === "create") return { name: "create", run: () => this.#create(visit) };
    if (next.verb === "remove") return { name: "remove", run: () => visit.remove(facts) };
    return { name: `step ${next.step}`, run: () => visit.step(next.step, facts) };
  }

  async #create(visit: Visit<T>): Promise<void> {
    const { create, making } = this.#options.author;
    const facts = create === undefined ? undefined : await visit.create(create);
    if (facts === undefined) return;
    this.#record(visit, facts, false);
    if (making?.join() === "create") visit.openWrites.settle();
  }

  /** It is as it should be, also while a step puts something right. */
  #noteProvisioned(visit: Visit<T>, facts: T["facts"], once: (name: string) => boolean): void {
    const { provision } = this.#options.author;
    if (provision === undefined) return;
    const { changes } = visit;
    const waiting = provision.waits?.(changes.object, facts);
    if (waiting !== undefined) {
      this.#say(visit, { ready: false, ...waiting, severity: "Info" });
      return;
    }
    const { is, message } = provision;
    if (message !== undefined && !is(changes.object) && once("provisioned")) {
      visit.event("Provisioned", message(changes.object, facts));
    }
    changes.mergeField(provision.patch(changes));
  }

  async #settle(visit: Visit<T>, observation: Observation<T["facts"]>): Promise<Result> {
    const { inventory } = this.#options;
    const { driftMs, pendingMs } = this.#pace;
    const uid = visit.changes.object.metadata.uid ?? "";
    const isWaiting = observation.state === "absent" && observation.reason !== undefined;
    const isSettled = observation.state !== "pending" && observation.state !== "removing" && !isWaiting;
    inventory?.settle(uid, isSettled);
    const byDefault = isSettled ? driftMs : pendingMs;
    const nextMs = observation.pollMs ?? byDefault;
    if (observation.state === "absent" || observation.state === "removing") return after(nextMs);
    const asked = await visit.settled(observation);
    if (isSettled && !("step" in observation)) visit.openWrites.settle();
    return sooner(asked, after(nextMs));
  }

  async #remove(visit: Visit<T>): Promise<Result> {
    const { author, inventory } = this.#options;
    const waiting = await author.beforeRemoval?.(visit.context());
    if (waiting !== undefined) {
      this.#say(visit, { ready: false, ...waiting, severity: "Info", leaving: true });
      return {};
    }
    const words = this.#words(visit);
    const leaving = { reason: LifeReason.deleting, message: words.leaving };
    this.#say(visit, { ready: false, ...leaving, message: words.staged(leaving), severity: "Info", leaving: true });
    await visit.connect();
    await visit.changes.writeNow(await this.#options.holding.hold(visit));
    const running = await this.#poll(visit, true);
    if (running !== undefined) return running;
    const once = onceEach();
    for (;;) {
      const observation = await this.#observe(visit);
      if (observation.state === "absent") return this.#gone(visit);
      const { requeueAfterMs, write } = this.#noteLeaving(visit, observation);
      if (write === undefined || !once(write.name)) return { requeueAfterMs };
      await write.run();
      if (visit.operations.started) return this.#pollLater(visit);
      if (inventory !== undefined) return {};
    }
  }

  /** Puts what was seen of something on its way out among the changes; what it asks for, and when to look again. */
  #noteLeaving(
    visit: Visit<T>,
    observation: Seen<T["facts"]>,
  ): { readonly requeueAfterMs: number; readonly write?: Write } {
    this.#record(visit, observation, true);
    const isLast = observation.state === "removing" && observation.isLast === true;
    const late = isLast ? this.#awaitLate(visit) : undefined;
    if (late !== undefined) return late;
    const { next, verdict } = decideRemoval(observation, { words: this.#words(visit) });
    if (verdict !== undefined) this.#say(visit, verdict);
    const pollMs = observation.state === "removing" ? observation.pollMs : undefined;
    return {
      requeueAfterMs: pollMs ?? removalPollMs,
      ...(next !== undefined && { write: this.#writeOf(visit, next, observation) }),
    };
  }

  /** When to come back, while an operation that was started continues. */
  async #poll(visit: Visit<T>, leaving: boolean): Promise<Result | undefined> {
    const { author } = this.#options;
    const { operations } = visit;
    if (author.operations === undefined || operations.all.length === 0) return undefined;
    await operations.save();
    if (operations.earlyMs > 0) {
      // Said again: what is not written yet would otherwise not be before the next poll.
      const said = this.#said.get(visit.changes.object.metadata.uid ?? "");
      if (said !== undefined && (said.leaving === true) === leaving) this.#say(visit, said);
      return { requeueAfterMs: operations.earlyMs };
    }
    const { failure, running } = await outcomeOf(visit, author.operations.poll);
    this.#failedLooks.forget(visit.changes.object.metadata.uid ?? "");
    if (failure !== undefined) throw failure;
    if (running === undefined) return undefined;
    if (leaving || !isReady(visit.changes.object)) this.#sayRunning(visit, running, leaving);
    return this.#pollLater(visit, running.pollMs);
  }

  #pollLater(visit: Visit<T>, pollMs?: number): Result {
    const requeueAfterMs = pollMs ?? this.#options.author.operations?.pollMs ?? operationPollMs;
    visit.operations.pollAfter(requeueAfterMs);
    this.#said.set(visit.changes.object.metadata.uid ?? "", visit.said);
    return { requeueAfterMs };
  }

  /** As was said when the operation was started. */
  #sayRunning(visit: Visit<T>, { operation, ...state }: RunningOperation, leaving: boolean): void {
    const words = this.#words(visit);
    const { startedAt, verb } = operation;
    const reason = verbReason(verb);
    const usual = verb === "create" ? `${this.#options.author.noun} is being created` : leaving ? words.leaving : "";
    const message = words.staged({ startedAt, ...state, reason, message: state.message ?? usual });
    this.#say(visit, { ready: false, reason, message, severity: "Info", leaving });
  }

  /** Nothing exists: removes the finalizer once no late request can take effect. */
  #gone(visit: Visit<T>): Result {
    return this.#awaitLate(visit) ?? this.#release(visit);
  }

  /** When to look once more for what a request without an answer may still make; `undefined`: there is none. */
  #awaitLate(visit: Visit<T>): { readonly requeueAfterMs: number } | undefined {
    const { author, environment, inventory } = this.#options;
    const { leftMs } = visit.openWrites;
    if (leftMs === 0) return undefined;
    inventory?.settle(visit.changes.object.metadata.uid ?? "", true);
    const until = rfc3339(environment.clock.now() + leftMs);
    const message = `${author.noun} is gone; a request timed out and may still take effect, checking again at ${until}`;
    this.#say(visit, { ready: false, reason: LifeReason.deleting, message, severity: "Info", leaving: true });
    return { requeueAfterMs: leftMs };
  }

  /** Lets the object go. */
  #release(visit: Visit<T>): Result {
    const { author, holding, inventory } = this.#options;
    const { changes } = visit;
    // Where there was nothing outside, the object says the same by going.
    if (author.connect !== undefined) visit.event("Deleted", `${author.noun} is gone`);
    holding.letGo(visit.request);
    inventory?.letGo(visit.context().identity.tag);
    changes.release({ metadata: { finalizers: releasedFinalizers(changes.object, author) } });
    return {};
  }

  #record({ changes }: Visit<T>, facts: T["facts"], deleting: boolean): void {
    const { record } = this.#options.author;
    changes.condition(...(facts.conditions ?? []));
    changes.mergeField(
      record === undefined ? recordedFacts(facts, deleting) : record(changes.object, facts, { deleting }),
    );
    const { annotations } = facts;
    if (annotations !== undefined && !deleting) changes.merge({ metadata: { annotations } });
  }

  #say(visit: Visit<T>, verdict: Verdict): void {
    visit.said = verdict;
    visit.changes.condition(...visit.conditions(verdict));
  }

  #known(visit: Visit<T>): Known {
    const { create, noun, provision } = this.#options.author;
    const wasCreated = provision?.wasCreated?.(visit.changes.object) === true;
    return { noun, creates: create !== undefined, wasCreated, words: this.#words(visit) };
  }

  /** Messages, with the stage before them where the author named stages. */
  #words(visit: Visit<T>): { staged: (statement: Statement) => string; leaving: string } {
    const { author, environment } = this.#options;
    const { object } = visit.changes;
    const stages = author.stages?.({ object }) ?? [];
    return {
      staged: (statement) => this.#stages.message(object, stages, statement, environment.clock.now()),
      leaving: `${author.noun} is being deleted`,
    };
  }

  /** Forgets the object that had this name before. */
  #remember(request: Request, uid: string | undefined): void {
    const name = keyText(request);
    const before = this.#uids.get(name);
    if (uid !== undefined) this.#uids.set(name, uid);
    if (before === uid) return;
    if (uid === undefined) {
      this.#uids.delete(name);
      this.secrets.forget(request);
      this.#options.holding.letGo(request);
      this.#stages.forget(request);
      for (const [, use] of this.#options.uses) use.forget?.(request);
    }
    if (before === undefined) return;
    const { author, inventory } = this.#options;
    inventory?.forget(before);
    this.#operations.forget(before);
    this.#openWrites.forget(before);
    this.#said.delete(before);
    this.#failedLooks.forget(before);
    this.#holds.forget(before);
    author.forget?.(before);
  }
}
