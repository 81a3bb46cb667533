import { CapstanError } from "@capstan/contract";
import type { ConditionInput } from "@capstan/contract/wire";
import { describeObject } from "@capstan/contract/wire";
import { isBeingDeleted, keyText } from "@capstan/kube-values";
import type { ReconcileContext, Request } from "@capstan/runtime";
import { Turn } from "../gate/turn.ts";
import { requireAdmitted } from "../references/policy.ts";
import type { Around, Handled, Listed } from "./author.ts";
import type { Verdict } from "./conditions.ts";
import { isReady, standardConditions, wasReady } from "./conditions.ts";
import { credentialsOf } from "./credentials.ts";
import type { Credentials, SecretReader, SecretRef } from "./credentials.ts";
import type { CloudTags, InstallationView, MarkState } from "./installation.ts";
import type { SharedInventory } from "./inventory.ts";
import type { AuthorOf, ContextOf, LifeTypes, PlaceOf } from "./object-author.ts";
import type { ObjectFacts, Observation, Seen } from "./observation.ts";
import { OpenWrites } from "./open-writes.ts";
import type { OpenWritesMemory } from "./open-writes.ts";
import type { Operation, OperationMemory, OperationState } from "./operations.ts";
import { ObjectOperations } from "./operations.ts";
import type { ObjectChanges } from "./save/object-changes.ts";
import { ownAnnotationsOf } from "./own-annotations.ts";
import type { AttachedUse, UsePlace, Using } from "./uses/use.ts";
import { identityOf, objectContext, wholeRef } from "./verb-context.ts";
import type { Verbs } from "./verbs.ts";
import { ConnectReads } from "./holds/connect-reads.ts";
import type { HeldRecord } from "./holds/hold-record.ts";
import { neededBy } from "./holds/needed-by.ts";
import { inputsOf } from "./write-holds.ts";
import type { WriteHolds } from "./write-holds.ts";

export interface VisitOptions<T extends LifeTypes> {
  readonly author: AuthorOf<T>;
  readonly inventory: SharedInventory<T["api"], T["item"]> | undefined;
  readonly verbs: Verbs;
  readonly secrets: SecretReader;
  readonly holds: WriteHolds;
  readonly operations: OperationMemory;
  readonly openWrites: OpenWritesMemory;
  /** The author's uses by name, as this controller has them. */
  readonly uses: readonly (readonly [string, AttachedUse<unknown>])[];
  readonly changes: ObjectChanges<T["object"]>;
  readonly context: ReconcileContext;
  readonly request: Request;
  readonly around: Around<T["more"]>;
  /** The inventory's tick when this reconcile began. */
  readonly began: number;
  /** Who the manager is at the cloud, where it is known. */
  readonly installation: InstallationView | undefined;
}

interface Connected<Api> {
  readonly api: Api;
  readonly scope: string;
  /** Fingerprint of everything that was read for it. */
  readonly fingerprint: string;
}

/** One reconcile of one object: calls the author's verbs with everything they need. */
export class Visit<T extends LifeTypes> {
  readonly changes: ObjectChanges<T["object"]>;
  readonly operations: ObjectOperations<T["object"]>;
  readonly openWrites: OpenWrites<T["object"]>;
  /** The last verdict of this reconcile. */
  said: Verdict | undefined;
  /** `namespace/name` of the Secret in use. */
  credentialsSecret: string | undefined;
  /** The turn of this visit at rate gates. */
  readonly turn: Turn;
  /** Something that the removal needs could not be held. */
  unheld = false;
  /** The verdict on the marks of the thing, after it was observed. */
  marks: MarkState | undefined;
  /** Looking failed: what the object stands for is not known. */
  unseen = false;
  readonly #options: VisitOptions<T>;
  readonly #uses: Using<T["uses"]>["uses"];
  #reads: ConnectReads | undefined;
  #connected: Connected<T["api"]> | undefined;
  /** As it was observed last. */
  #item: T["item"] | undefined;

  constructor(options: VisitOptions<T>) {
    this.#options = options;
    const { around, author, changes, context } = options;
    const { object } = changes;
    this.changes = changes;
    const { clusterName, name, namespace, uid } = identityOf(object, around.clusterName);
    this.turn = new Turn({
      key: uid,
      flow: `${namespace}/${clusterName === "" ? name : clusterName}`,
      of: author.kind.kind,
      idle: isReady(object) && !isBeingDeleted(object),
    });
    this.operations = new ObjectOperations(changes, {
      clock: context.clock,
      declared: author.operations !== undefined,
      memory: options.operations.of(this.#uid),
    });
    this.openWrites = new OpenWrites(changes, {
      clock: context.clock,
      memory: options.openWrites.of(this.#uid),
      kept: author.connect !== undefined && author.finalizer !== undefined,
    });
    this.#uses = this.#opened();
  }

  /** Records a normal event on the object. */
  event(reason: string, message: string): void {
    const { changes, context } = this.#options;
    context.events.event(changes.object, { type: "Normal", reason, message });
  }

  /** Throws `references.not_admitted` where a reference into another namespace may not be followed. */
  async admitted(): Promise<void> {
    const { around, author, context, uses } = this.#options;
    const { object: own } = this.changes;
    await requireAdmitted(context, author.kind, own);
    const used = uses.flatMap(([, use]) => use.follows?.(own, context.cache) ?? []);
    for (const { kind, object } of [...(around.follows ?? []), ...used]) await requireAdmitted(context, kind, object);
  }

  /** Reads the credentials and opens the author's api. */
  connect(): Promise<void> {
    return this.#look(() => this.#connect());
  }

  observe(): Promise<Observation<T["facts"]>> {
    const { author, verbs } = this.#options;
    return this.#look(async () => {
      const listed = await this.#listed();
      this.#item = listed.item;
      return verbs.run("observe", () => author.observe({ ...this.#verbContext(), ...listed }));
    });
  }

  /** The tags of what was observed, where they are known. */
  tagsOf(observation: Observation<T["facts"]>): CloudTags | undefined {
    if (observation.state === "absent") return undefined;
    return observation.tags ?? (this.#item && this.#options.author.inventory?.tagsOf(this.#item));
  }

  /** Who the manager is at the cloud, where it is known. */
  get installation(): InstallationView | undefined {
    return this.#options.installation;
  }

  /** Puts the present mark on the thing. */
  async mark(mark: NonNullable<AuthorOf<T>["mark"]>, facts: ObjectFacts): Promise<void> {
    const listed = await this.#listed();
    await this.#write("mark", () => mark({ ...this.#handled("mark", facts), ...listed }));
  }

  async #look<Result>(work: () => Promise<Result>): Promise<Result> {
    this.unseen = true;
    const result = await work();
    this.unseen = false;
    return result;
  }

  get request(): Request {
    return this.#options.request;
  }

  get reconcile(): ReconcileContext {
    return this.#options.context;
  }

  /** The objects that the removal needs: the Secrets that the connection was made from, and the declared ones. */
  needs(): Promise<readonly HeldRecord[]> {
    return neededBy(this.#options.author, this.context(), this.#reads?.records ?? []);
  }

  async #connect(): Promise<void> {
    const { author, verbs } = this.#options;
    const { connect, credentialsRef, inventory } = author;
    const reads = this.#opening();
    this.#reads = reads;
    const place = this.context();
    const named = credentialsRef?.(place);
    if (named !== undefined) this.credentialsSecret = keyText(wholeRef(named, place.object));
    const primary = await reads.primary(named);
    if (primary !== undefined) this.credentialsSecret = primary.name;
    const credentials = primary?.credentials;
    // Without `connect` the author's Api is `undefined`.
    const api: T["api"] =
      connect === undefined
        ? undefined
        : await verbs.run("connect", async () =>
            connect({ ...place, credentials, credentialsOf: (further) => reads.get(further) }),
          );
    reads.close();
    const { fingerprint } = reads;
    const scope = inventory?.scope?.({ object: place.object, credentials }) ?? fingerprint;
    this.#connected = { api, scope, fingerprint };
  }

  #opening(): ConnectReads {
    const { author } = this.#options;
    const { object } = this.changes;
    const { finalizer, noun, recordedID } = author;
    return new ConnectReads(object, { finalizer, noun, id: recordedID?.(object) }, (ref, used) =>
      this.#secret(ref, used),
    );
  }

  async create(create: NonNullable<AuthorOf<T>["create"]>): Promise<T["facts"] | void> {
    const operations = this.operations.by("create");
    const listed = await this.#listed();
    return this.#make("create", () => create({ ...this.#verbContext(), operations, ...listed }));
  }

  async step(name: string, facts: ObjectFacts): Promise<void> {
    const step = this.#options.author.steps?.[name];
    if (step === undefined) {
      throw new CapstanError({
        code: "kit.step_unknown",
        reason: "StepUnknown",
        message: `${describeObject(this.changes.object)}: observe asked for the step "${name}", which the provider does not have`,
        retry: { kind: "never" },
      });
    }
    const listed = await this.#listed();
    await this.#make(name, () => step({ ...this.#handled(name, facts), ...listed }));
  }

  async remove(facts: ObjectFacts): Promise<void> {
    const listed = await this.#listed();
    await this.#write("remove", async () =>
      this.#options.author.remove?.({ ...this.#handled("remove", facts), ...listed }),
    );
  }

  async poll(
    poll: (context: ContextOf<T> & { readonly operation: Operation }) => Promise<OperationState>,
    operation: Operation,
  ): Promise<OperationState> {
    return this.#look(() => this.#options.verbs.run("poll", () => poll({ ...this.#verbContext(), operation })));
  }

  /** An operation has ended: lists from before say nothing about what came of it. */
  ended(): void {
    this.#options.inventory?.wrote(this.#uid);
  }

  /** The error of an operation, as if its verb had thrown it; `holdMs`: delay before the verb is called again. */
  refused(verb: string, error: CapstanError, holdMs: number): void {
    const inputs = this.#inputs();
    if (inputs !== undefined) this.#options.holds.refuse(this.#uid, { verb, inputs }, { error, forMs: holdMs });
  }

  async settled(seen: Seen<T["facts"]>): Promise<{ readonly requeueAfterMs: number } | undefined> {
    return this.#options.author.settled?.({ ...this.#verbContext(), seen });
  }

  async underway(): Promise<{ readonly requeueAfterMs: number } | undefined> {
    return this.#options.author.underway?.({ ...this.#verbContext(), running: this.operations.all });
  }

  /** Facts known without a connection. */
  context(): PlaceOf<T> {
    const { around, changes, context, secrets } = this.#options;
    const { clusterName } = around;
    const readSecret = (ref: SecretRef): Promise<Credentials | undefined> => this.#readSecret(ref);
    return {
      ...objectContext({
        changes,
        clusterName,
        context,
        installation: this.#options.installation,
        openWrites: this.openWrites,
        readSecret,
        secrets,
        turn: this.turn,
      }),
      ...around.more,
      uses: this.#uses,
    };
  }

  /** Conditions that say the verdict in the role's words. */
  conditions(verdict: Verdict): readonly ConditionInput[] {
    const { conditions } = this.#options.author;
    return conditions === undefined
      ? standardConditions(verdict, wasReady(this.changes.object))
      : conditions(verdict, this.context());
  }

  /** A verb after which something may be there that was not before. */
  #make<R>(verb: string, work: () => Promise<R>): Promise<R> {
    const { making } = this.#options.author;
    const makes = !isBeingDeleted(this.changes.object) && (making?.includes(verb) ?? true);
    return this.#write(verb, makes ? () => this.openWrites.around(work) : work);
  }

  /**
   * Whatever a writing verb ends with, it may have changed the world. When the cloud named a time to wait for, no event makes us come
   * back before it is over; what it refused waits for a change.
   */
  async #write<R>(verb: string, work: () => Promise<R>): Promise<R> {
    const { holds, installation, inventory, verbs } = this.#options;
    // Another object's look may have shown it meanwhile.
    installation?.require();
    const uid = this.#uid;
    const run = async (): Promise<R> => {
      try {
        return await verbs.run(verb, work);
      } finally {
        inventory?.wrote(uid);
      }
    };
    const inputs = this.#inputs();
    return inputs === undefined ? run() : holds.around(uid, { verb, inputs }, run);
  }

  async #readSecret(ref: SecretRef): Promise<Credentials | undefined> {
    return this.#reads === undefined ? this.#secret(wholeRef(ref, this.changes.object)) : this.#reads.find(ref);
  }

  async #secret(ref: Required<SecretRef>, used?: (key: string) => void): Promise<Credentials | undefined> {
    const { context, request, secrets } = this.#options;
    const read = await secrets.read(ref, request, context);
    return read === undefined ? undefined : credentialsOf(ref, read.fingerprint, read.data, used);
  }

  /** The API of the declared related objects for verbs. */
  #opened(): Using<T["uses"]>["uses"] {
    const { around, author, changes, context, request, secrets, uses } = this.#options;
    const place: UsePlace = {
      get object() {
        return changes.object;
      },
      kind: author.kind,
      identity: identityOf(changes.object, around.clusterName, this.#options.installation),
      request,
      environment: context,
      secrets,
      note: (version) => this.#reads?.note(version),
    };
    const opened = uses.map(([name, use]) => [name, use.open(place)]);
    return Object.fromEntries(opened) as Using<T["uses"]>["uses"];
  }

  get #uid(): string {
    return this.changes.object.metadata.uid ?? "";
  }

  /** The credentials' version is part of what `connect` made the api from. */
  #inputs(): string | undefined {
    const { around, author } = this.#options;
    if (around.inputs === undefined) return undefined;
    const { fingerprint } = this.#place();
    return inputsOf([this.changes.object, ...around.inputs, fingerprint], ownAnnotationsOf(author));
  }

  async #listed(): Promise<Listed<T["item"]>> {
    const { inventory } = this.#options;
    return { item: await this.#find(), inventory: { free: () => inventory?.free(this.#uid) ?? [] } };
  }

  /** The object's item of the shared list; that there is none is believed only of a list younger than this reconcile. */
  async #find(): Promise<T["item"] | undefined> {
    const { author, began, context, inventory, request } = this.#options;
    if (inventory === undefined) return undefined;
    const { object } = this.changes;
    const { identity } = this.context();
    const member = { uid: identity.uid, tag: identity.tag, providerID: author.recordedID?.(object), request };
    const { signal } = context;
    const found = await inventory.find(this.#place(), member, { signal });
    return found ?? inventory.find(this.#place(), member, { after: began, signal });
  }

  #place(): Connected<T["api"]> {
    if (this.#connected === undefined) throw new TypeError("a verb was called before connect");
    return this.#connected;
  }

  #verbContext(): ContextOf<T> {
    return { ...this.context(), api: this.#place().api };
  }

  #handled(verb: string, { handle }: ObjectFacts): ContextOf<T> & Handled {
    const context = this.#verbContext();
    return { ...context, handle: handle ?? context.identity.tag, operations: this.operations.by(verb) };
  }
}
