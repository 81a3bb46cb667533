import { CapstanError } from "@capstan/contract";
import type { ConditionInput } from "@capstan/contract/wire";
import { describeObject } from "@capstan/contract/wire";
import type { ReconcileContext, Request } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { Around, FreeItems, Handled, LifeContext, Listed, ObjectAuthor, ObjectContext } from "./author.ts";
import type { Verdict } from "./conditions.ts";
import { isReady, standardConditions } from "./conditions.ts";
import type { SecretReader } from "./credentials.ts";
import type { SharedInventory } from "./inventory.ts";
import type { ObjectFacts, Observation, Seen } from "./observation.ts";
import type { Operation, OperationMemory, OperationState } from "./operations.ts";
import { ObjectOperations, operationsAnnotation } from "./operations.ts";
import type { ObjectChanges } from "./save/object-changes.ts";
import { objectContext, readCredentials, wholeRef } from "./verb-context.ts";
import type { Verbs } from "./verbs.ts";
import { inputsOf } from "./write-holds.ts";
import type { WriteHolds } from "./write-holds.ts";

export interface VisitOptions<O extends KubeObject, Api, Facts extends ObjectFacts, More extends object, Item> {
  readonly author: ObjectAuthor<O, Api, Facts, More, Item>;
  readonly inventory: SharedInventory<Api, Item> | undefined;
  readonly verbs: Verbs;
  readonly secrets: SecretReader;
  readonly holds: WriteHolds;
  readonly operations: OperationMemory;
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  readonly request: Request;
  readonly around: Around<More>;
  /** The inventory's tick when this reconcile began. */
  readonly began: number;
}

interface Connected<Api> {
  readonly api: Api;
  readonly scope: string;
  /** Of the credentials in use. */
  readonly fingerprint: string;
}

/** Annotations that are the engine's and the role's records: their changes are nobody's input. */
export const ownAnnotationsOf = ({ ownAnnotations = [] }: { readonly ownAnnotations?: readonly string[] }) => [
  operationsAnnotation,
  ...ownAnnotations,
];

/** One reconcile of one object: calls the author's verbs with everything they need. */
export class Visit<O extends KubeObject, Api, Facts extends ObjectFacts, More extends object, Item> {
  readonly changes: ObjectChanges<O>;
  readonly operations: ObjectOperations<O>;
  /** `namespace/name` of the Secret in use. */
  credentialsSecret: string | undefined;
  readonly #options: VisitOptions<O, Api, Facts, More, Item>;
  #connected: Connected<Api> | undefined;

  constructor(options: VisitOptions<O, Api, Facts, More, Item>) {
    this.#options = options;
    const { author, changes, context } = options;
    this.changes = changes;
    this.operations = new ObjectOperations(changes, {
      clock: context.clock,
      declared: author.operations !== undefined,
      memory: options.operations.of(this.#uid),
    });
  }

  /** Records a normal event on the object. */
  event(reason: string, message: string): void {
    const { changes, context } = this.#options;
    context.events.event(changes.object, { type: "Normal", reason, message });
  }

  /** Reads the credentials and opens the author's api. */
  async connect(): Promise<void> {
    const { author, context, request, secrets, verbs } = this.#options;
    const { object } = this.changes;
    const named = author.credentialsRef?.(this.context());
    const ref = named === undefined ? undefined : wholeRef(named, object);
    if (ref !== undefined) this.credentialsSecret = `${ref.namespace}/${ref.name}`;
    const credentials = await readCredentials(ref, { context, request, secrets });
    const { connect } = author;
    // Without `connect` the author's Api is `undefined`.
    const api =
      connect === undefined
        ? (undefined as Api)
        : await verbs.run("connect", async () => connect({ object, credentials }));
    const scope = author.inventory?.scope({ object, credentials }) ?? "";
    this.#connected = { api, scope, fingerprint: credentials?.fingerprint ?? "" };
  }

  async observe(): Promise<Observation<Facts>> {
    const { author, verbs } = this.#options;
    const listed = await this.#listed();
    return verbs.run("observe", () => author.observe({ ...this.#verbContext(), ...listed }));
  }

  async create(create: NonNullable<ObjectAuthor<O, Api, Facts, More, Item>["create"]>): Promise<Facts | void> {
    const operations = this.operations.by("create");
    return this.#write("create", () => create({ ...this.#verbContext(), operations, inventory: this.#freeItems() }));
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
    await this.#write(name, () => step({ ...this.#handled(name, facts), ...listed }));
  }

  async remove(facts: ObjectFacts): Promise<void> {
    await this.#write("remove", async () => this.#options.author.remove?.(this.#handled("remove", facts)));
  }

  async poll(
    poll: (context: LifeContext<O, Api, More> & { readonly operation: Operation }) => Promise<OperationState>,
    operation: Operation,
  ): Promise<OperationState> {
    return this.#options.verbs.run("poll", () => poll({ ...this.#verbContext(), operation }));
  }

  /** What an operation ended with, as if its verb had thrown it; `holdMs`: not before this time is the verb called again. */
  refused(verb: string, error: CapstanError, holdMs: number): void {
    const inputs = this.#inputs();
    if (inputs !== undefined) this.#options.holds.refuse(this.#uid, { verb, inputs }, { error, forMs: holdMs });
  }

  async settled(seen: Seen<Facts>): Promise<{ readonly requeueAfterMs: number } | undefined> {
    return this.#options.author.settled?.({ ...this.#verbContext(), seen });
  }

  /** What is known without a connection. */
  context(): ObjectContext<O> & More {
    const { around, changes, context, request, secrets } = this.#options;
    const { clusterName } = around;
    return { ...objectContext({ changes, clusterName, context, request, secrets }), ...around.more };
  }

  /** Conditions that say the verdict in the role's words. */
  conditions(verdict: Verdict): readonly ConditionInput[] {
    const { conditions } = this.#options.author;
    return conditions === undefined
      ? standardConditions(verdict, isReady(this.changes.object))
      : conditions(verdict, this.context());
  }

  /**
   * Whatever a writing verb ends with, it may have changed the world. When the cloud named a time to wait for, no event makes us come
   * back before it is over; what it refused waits for a change.
   */
  async #write<T>(verb: string, work: () => Promise<T>): Promise<T> {
    const { holds, inventory, verbs } = this.#options;
    const uid = this.#uid;
    const run = async (): Promise<T> => {
      try {
        return await verbs.run(verb, work);
      } finally {
        inventory?.wrote(uid);
      }
    };
    const inputs = this.#inputs();
    return inputs === undefined ? run() : holds.around(uid, { verb, inputs }, run);
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

  async #listed(): Promise<Listed<Item>> {
    return { item: await this.#item(), inventory: this.#freeItems() };
  }

  #freeItems(): FreeItems<Item> {
    return { free: () => this.#options.inventory?.free(this.#uid) ?? [] };
  }

  /** The object's item of the shared list; that there is none is believed only of a list younger than this reconcile. */
  async #item(): Promise<Item | undefined> {
    const { author, began, context, inventory, request } = this.#options;
    if (inventory === undefined) return undefined;
    const { object } = this.changes;
    const { identity } = this.context();
    const member = { uid: identity.uid, tag: identity.tag, providerID: author.recordedID?.(object), request };
    const { signal } = context;
    const found = await inventory.find(this.#place(), member, { signal });
    return found ?? inventory.find(this.#place(), member, { after: began, signal });
  }

  #place(): Connected<Api> {
    if (this.#connected === undefined) throw new TypeError("a verb was called before connect");
    return this.#connected;
  }

  #verbContext(): LifeContext<O, Api, More> {
    return { ...this.context(), api: this.#place().api };
  }

  #handled(verb: string, { handle }: ObjectFacts): LifeContext<O, Api, More> & Handled {
    const context = this.#verbContext();
    return { ...context, handle: handle ?? context.identity.tag, operations: this.operations.by(verb) };
  }
}
