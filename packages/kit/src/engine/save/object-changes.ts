import { isCapstanError } from "@capstan/contract";
import type { Condition, ConditionInput, ContractVersion, MergePatch } from "@capstan/contract/wire";
import {
  applyPatch,
  conditionOf,
  conditionsPatch,
  effectivePatch,
  isProgress,
  mergePatches,
} from "@capstan/contract/wire";
import { mergePatchOf } from "@capstan/contract/patch";
import { keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { type KubeObject, mayHaveField, type Resource, sameJson } from "@capstan/schema";
import type { LateProgress, LateWrite } from "./late-progress.ts";
import type { PrunedFields } from "./pruned-fields.ts";

/** Shared by the changes of all objects of one controller; see `ObjectSaver`. */
export interface SaveOptions<O extends KubeObject> {
  readonly kind: Resource<O>;
  readonly contract: ContractVersion;
  readonly pruned: PrunedFields;
  /** Where progress waits for company. */
  readonly late: LateProgress<O>;
  /** Fields of the status whose change may wait as progress does. */
  readonly mayWait: (field: string) => boolean;
  /** See `ObjectSaverOptions`. */
  news?(object: O): string | undefined;
}

const isEmpty = (patch: MergePatch | undefined): boolean => patch === undefined || Object.keys(patch).length === 0;

/** Returns whether two versions of one object are the same but for their status. */
const differsInStatus = (before: KubeObject, after: KubeObject): boolean => {
  const { resourceVersion, managedFields: _, ...metadata } = before.metadata;
  const { resourceVersion: version, managedFields: __, ...other } = after.metadata;
  return resourceVersion !== version && sameJson(metadata, other);
};

const isReleased = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;

/**
 * The changes that one reconcile makes to its object: A status in which only messages changed waits a little, to be
 * written with the next change.  Changes are collected as merge patches and conditions (`merge`, `condition`), or
 * stated as the whole object (`save`, `become`).
 */
export class ObjectChanges<O extends KubeObject> {
  readonly #options: SaveOptions<O>;
  readonly #context: ReconcileContext;
  readonly #conditions = new Map<string, ConditionInput>();
  #object: O;
  #main: MergePatch = {};
  #status: MergePatch = {};
  /** The object with all of its status, worked out from what was read: it fits no other version, so it is recomputed after waiting. */
  #whole: O | undefined;
  /** Progress of an earlier reconcile that is being written as this one begins. */
  #earlier: Promise<LateWrite<O> | undefined> | undefined;
  #observed = false;
  #released = false;
  #gone = false;

  constructor(options: SaveOptions<O>, object: O, context: ReconcileContext) {
    this.#options = options;
    this.#context = context;
    this.#object = object;
    this.#earlier = options.late.supersede(object);
  }

  /** The object as it is stored. */
  get object(): O {
    return this.#object;
  }

  /** One of today's conditions of the object as it is stored. */
  readonly conditionOf = (type: string): Condition | undefined =>
    conditionOf(this.#object, type, this.#options.contract);

  /** The object no longer exists. */
  get gone(): boolean {
    return this.#gone;
  }

  /** A merge patch of `metadata` and `spec`. */
  merge(patch: MergePatch): void {
    this.#main = mergePatches(this.#main, patch);
  }

  /** A merge patch of `status`, without the word `status`. */
  mergeStatus(patch: MergePatch): void {
    this.#status = mergePatches(this.#status, { status: patch });
  }

  /** A merge patch that starts at the root, of a field of the contract. */
  mergeField(patch: MergePatch): void {
    const { status, ...main } = patch;
    if (status !== undefined) this.mergeStatus(status as MergePatch);
    if (!isEmpty(main)) this.merge(main);
  }

  condition(...inputs: readonly ConditionInput[]): void {
    for (const input of inputs) this.#conditions.set(input.type, input);
  }

  /** The status that the object shall have, whole: what it has and `wanted` has not is removed. */
  become(wanted: O): void {
    this.#whole = wanted;
  }

  /** The reconcile saw to the object as it will be stored: its status names that generation, where the kind has the field. */
  noteObserved(): void {
    this.#observed = mayHaveField(this.#options.kind, "status.observedGeneration");
  }

  /** The last patch of an object that is let go: it may vanish with it, so its status is no longer written. */
  release(patch: MergePatch): void {
    this.merge(patch);
    this.#released = true;
  }

  /** Writes a part of metadata or spec at once, because what follows relies on it. Throws `kube.not_found` when the object is gone. */
  async writeNow(patch: MergePatch): Promise<O> {
    await this.#write(patch, undefined);
    return this.#object;
  }

  /** Like `writeNow`, even if another client has changed the object meanwhile: for records that must not be lost. */
  async writeAnyway(patch: MergePatch): Promise<void> {
    await this.#write(patch, undefined, { anyway: true });
  }

  /**
   * Writes metadata and spec at once as they differ between what is stored and what is wanted, and fails with
   * `kube.conflict` if another client wrote meanwhile. Returns the object as stored, still with the wanted status.
   */
  async save(wanted: O): Promise<O> {
    const { status: _, ...before } = this.#object;
    const { status, ...after } = wanted;
    const difference = mergePatchOf(before, after);
    if (difference === undefined) return wanted;
    await this.#write(difference, undefined);
    return { ...this.#object, status };
  }

  /**
   * The wanted object, with what other clients have written to its status since it was read. Nothing is taken in where more than the status
   * has changed, or where `wanted` has other conditions: then the write is to fail with `kube.conflict`.
   */
  rebased(wanted: O): O {
    const present = this.#context.cache.get<O>(this.#options.kind, keyOf(this.#object));
    if (present === undefined || !differsInStatus(this.#object, present)) return wanted;
    const own = mergePatchOf(this.#object["status"] ?? {}, wanted["status"] ?? {});
    if (own !== undefined && "conditions" in own) return wanted;
    this.#object = present;
    return { ...present, status: applyPatch(present["status"] ?? {}, own ?? {}) };
  }

  /** Writes what is different; with `all`, progress too. Does nothing if the object is gone. */
  async flush({ all = false }: { readonly all?: boolean } = {}): Promise<void> {
    try {
      await this.#flush(all);
    } catch (error) {
      if (!this.#gone) throw error;
    }
  }

  async #flush(all: boolean): Promise<void> {
    await this.#catchUp();
    await this.#write(this.#main, undefined);
    this.#main = {};
    const { generation } = this.#object.metadata;
    if (this.#observed && generation !== undefined) this.mergeStatus({ observedGeneration: generation });
    const { late } = this.#options;
    const wanted = this.#released ? {} : this.#wantedStatus(this.#object);
    const body = this.#effective(wanted);
    const waits =
      !all && body !== undefined && (this.#isNoNews(body) || isProgress(this.#object, body, this.#options.mayWait));
    const write = this.#whole === undefined ? (present: O): Promise<O> => this.#writeLate(present) : undefined;
    if (waits && late.hold(this.#object, write)) return;
    await this.#writeStatus(wanted);
    // Only now: after a failed write the next reconcile writes without waiting, so that its failures make the queue wait longer.
    late.settle(this.#object);
  }

  #isNoNews(patch: MergePatch): boolean {
    const options = this.#options;
    if (options.news === undefined) return false;
    const after = options.news(applyPatch(this.#object, patch));
    return after === undefined || after === options.news(this.#object);
  }

  /** Progress that waited, put on the object as it is by now. */
  async #writeLate(present: O): Promise<O> {
    this.#object = present;
    await this.#writeStatus(this.#wantedStatus(present));
    return this.#object;
  }

  /** The version to change is the one that our own late write made of what was read: they differ by nothing but that status. */
  async #catchUp(): Promise<void> {
    const written = await this.#earlier;
    this.#earlier = undefined;
    if (written === undefined) return;
    const { before, after } = written;
    if (before.metadata.resourceVersion === this.#object.metadata.resourceVersion) this.#object = after;
  }

  async #writeStatus(wanted: MergePatch): Promise<void> {
    const written = await this.#write(wanted, "status");
    if (written) this.#options.pruned.learn(this.#object, wanted, this.#context.log);
    this.#status = {};
    this.#whole = undefined;
    this.#conditions.clear();
  }

  #wantedStatus(object: O): MergePatch {
    const { contract } = this.#options;
    const now = this.#context.clock.now();
    const status = this.#whole && mergePatchOf(object["status"] ?? {}, this.#whole["status"] ?? {});
    const whole = status === undefined ? undefined : { status };
    return mergePatches(
      this.#status,
      whole,
      conditionsPatch(object, [...this.#conditions.values()], { now, contract }),
    );
  }

  #effective(patch: MergePatch): MergePatch | undefined {
    return effectivePatch(this.#object, this.#options.pruned.without(patch));
  }

  async #write(
    patch: MergePatch,
    subresource: "status" | undefined,
    { anyway = false }: { readonly anyway?: boolean } = {},
  ): Promise<boolean> {
    const { cache, client, signal } = this.#context;
    const { kind } = this.#options;
    if (this.#effective(patch) === undefined) return false;
    await this.#catchUp();
    const body = this.#effective(patch);
    if (body === undefined) return false;
    // With the version, another writer's change in between is a conflict instead of a loss.
    const { resourceVersion } = this.#object.metadata;
    const versioned = anyway ? body : mergePatches(body, { metadata: { resourceVersion } });
    const key = keyOf(this.#object);
    const call = { signal, ...(subresource === undefined ? {} : { subresource }) };
    try {
      this.#object = await client.patch<O>(kind, key, { type: "merge", body: versioned }, call);
      if (isReleased(this.#object)) cache.informer(kind).observeDeleted(key, this.#object.metadata.uid ?? "");
      return true;
    } catch (error) {
      // Without its definition no object is found either: it is gone only when it cannot be read.
      if (isCapstanError(error, "kube.not_found")) {
        this.#gone ||= (await client.find(kind, key, { signal })) === undefined;
      }
      throw error;
    }
  }
}
