import { isCapstanError } from "@capstan/contract";
import type { Clock } from "@capstan/contract";
import type { ConditionInput, ContractVersion, MergePatch } from "@capstan/contract/wire";
import { conditionsPatch, effectivePatch, isProgress, mergePatches } from "@capstan/contract/wire";
import type { Client, ObjectKey } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import type { LateProgress } from "./late-progress.ts";
import type { PrunedFields } from "./pruned-fields.ts";

export interface ChangesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly contract: ContractVersion;
  readonly pruned: PrunedFields;
  /** Where progress waits for company. */
  readonly late: LateProgress;
  readonly signal: AbortSignal;
}

const isEmpty = (patch: MergePatch | undefined): boolean => patch === undefined || Object.keys(patch).length === 0;

export const keyOf = (object: KubeObject): ObjectKey => ({
  name: object.metadata.name ?? "",
  ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
});

/** Fields of a status that the contract, and so somebody else, reads. */
const contractFields = new Set([
  "addresses",
  "conditions",
  "dataSecretName",
  "deprecated",
  "failureDomain",
  "failureDomains",
  "failureMessage",
  "failureReason",
  "initialization",
  "interruptible",
  "ready",
  "v1beta2",
]);

/** A provider's own field: every observation says it again, so it may come a little late. */
const isOwnField = (field: string): boolean => !contractFields.has(field);

/**
 * What one reconcile wants to change about its object: collected on the way and written at the end, as at most one patch of metadata
 * and spec and one of the status, and none when the object already says so. A status that only explains itself anew waits a little: the
 * next news, or its time, take it along.
 */
export class ObjectChanges<O extends KubeObject> {
  readonly #resource: Resource<O>;
  readonly #options: ChangesOptions;
  readonly #conditions = new Map<string, ConditionInput>();
  #object: O;
  #main: MergePatch = {};
  #status: MergePatch = {};
  #released = false;
  #gone = false;

  constructor(resource: Resource<O>, object: O, options: ChangesOptions) {
    this.#resource = resource;
    this.#object = object;
    this.#options = options;
    options.late.supersede(object);
  }

  /** The object as it is stored. */
  get object(): O {
    return this.#object;
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

  /** The last patch of an object that is let go: it may vanish with it, so its status is not written any more. */
  release(patch: MergePatch): void {
    this.merge(patch);
    this.#released = true;
  }

  condition(...inputs: readonly ConditionInput[]): void {
    for (const input of inputs) this.#conditions.set(input.type, input);
  }

  /** The object does not exist any more. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Writes a part of metadata or spec at once, because what follows relies on it. Throws `kube.not_found` when the object is gone. */
  async writeNow(patch: MergePatch): Promise<O> {
    await this.#write(patch, undefined);
    return this.#object;
  }

  /** Writes what is different; with `all`, progress too. */
  async flush({ all = false }: { readonly all?: boolean } = {}): Promise<void> {
    try {
      await this.#flush(all);
    } catch (error) {
      // It went away while it was worked on: there is nobody left to tell.
      if (!this.#gone) throw error;
    }
  }

  async #flush(all: boolean): Promise<void> {
    await this.#write(this.#main, undefined);
    this.#main = {};
    const { late } = this.#options;
    const wanted = this.#released ? {} : this.#wantedStatus(this.#object);
    const body = this.#effective(wanted);
    const waits = !all && body !== undefined && isProgress(this.#object, body, isOwnField);
    if (waits && late.hold(this.#object, (present) => this.#writeLate(present as O))) return;
    late.settle(this.#object);
    await this.#writeStatus(wanted);
  }

  /** Progress that waited, put on the object as it is by now. */
  async #writeLate(present: O): Promise<void> {
    this.#object = present;
    await this.#writeStatus(this.#wantedStatus(present));
  }

  async #writeStatus(wanted: MergePatch): Promise<void> {
    const written = await this.#write(wanted, "status");
    if (written) this.#options.pruned.learn(this.#resource, this.#object, wanted);
    this.#status = {};
    this.#conditions.clear();
  }

  #wantedStatus(object: O): MergePatch {
    const { clock, contract } = this.#options;
    return mergePatches(
      this.#status,
      conditionsPatch(object, [...this.#conditions.values()], { now: clock.now(), contract }),
    );
  }

  #effective(patch: MergePatch): MergePatch | undefined {
    return effectivePatch(this.#object, this.#options.pruned.without(patch));
  }

  async #write(patch: MergePatch, subresource: "status" | undefined): Promise<boolean> {
    const { client, signal } = this.#options;
    const body = this.#effective(patch);
    if (body === undefined) return false;
    // With the version, another writer's change in between is a conflict instead of a loss.
    const versioned = mergePatches(body, { metadata: { resourceVersion: this.#object.metadata.resourceVersion } });
    try {
      this.#object = await client.patch<O>(
        this.#resource,
        keyOf(this.#object),
        { type: "merge", body: versioned },
        { signal, ...(subresource === undefined ? {} : { subresource }) },
      );
      return true;
    } catch (error) {
      this.#gone ||= isCapstanError(error, "kube.not_found");
      throw error;
    }
  }
}
