import { CapstanError } from "@capstan/contract";
import { describeObject, infraMachine, isControlPlane, machine as machineFields } from "@capstan/contract/wire";
import type { ReconcileContext, Request } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { RecordedDelivery } from "../delivery/bootstrap-delivery.ts";
import type { ObjectStoreRequest } from "../delivery/object-store-request.ts";
import type {
  CreateContext,
  InfraMachineAuthor,
  MachineFacts,
  MachineObservation,
  MachineVerbContext,
} from "./author.ts";
import type { SecretReader } from "../engine/credentials.ts";
import type { SharedInventory } from "../engine/inventory.ts";
import type { ObjectChanges } from "../engine/save/object-changes.ts";
import { readCredentials, verbContext, wholeRef } from "../engine/verb-context.ts";
import type { Verbs } from "../engine/verbs.ts";
import { inputsOf } from "../engine/write-holds.ts";
import type { WriteHolds } from "../engine/write-holds.ts";

export interface VisitOptions<O extends KubeObject, Api, Item> {
  readonly author: InfraMachineAuthor<O, Api, Item>;
  readonly inventory: SharedInventory<Api, Item> | undefined;
  readonly verbs: Verbs;
  readonly secrets: SecretReader;
  readonly holds: WriteHolds;
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  readonly request: Request;
  readonly machine: KubeObject;
  readonly cluster: KubeObject;
  readonly infraCluster: KubeObject | undefined;
  /** The inventory's tick when this reconcile began. */
  readonly began: number;
}

type EventInput = Parameters<MachineVerbContext<KubeObject, unknown>["event"]>[0];

/** One reconcile of one machine: calls the author's verbs with everything they need. */
export class MachineVisit<O extends KubeObject, Api, Item> {
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  readonly machine: KubeObject;
  readonly cluster: KubeObject;
  /** `namespace/name` of the Secret in use. */
  credentialsSecret: string | undefined;
  readonly #options: VisitOptions<O, Api, Item>;
  #connected: { readonly api: Api; readonly scope: string } | undefined;
  #fingerprint = "";

  constructor(options: VisitOptions<O, Api, Item>) {
    this.#options = options;
    this.changes = options.changes;
    this.context = options.context;
    this.machine = options.machine;
    this.cluster = options.cluster;
  }

  event(event: EventInput): void {
    this.context.events.event(this.changes.object, event);
  }

  objectStore(): ObjectStoreRequest | undefined {
    return this.#options.author.objectStore?.({
      object: this.changes.object,
      infraCluster: this.#options.infraCluster,
    });
  }

  /** Reads the credentials and opens the author's api. */
  async connect(): Promise<void> {
    const { author, infraCluster, verbs } = this.#options;
    const { object } = this.changes;
    const named = author.credentialsRef?.({ object, infraCluster });
    const ref = named === undefined ? undefined : wholeRef(named, object);
    if (ref !== undefined) this.credentialsSecret = `${ref.namespace}/${ref.name}`;
    const credentials = await readCredentials(ref, this.#options);
    this.#fingerprint = credentials?.fingerprint ?? "";
    const api = await verbs.run("connect", async () => author.connect({ object, credentials }));
    this.#connected = { api, scope: author.inventory?.scope({ object, credentials }) ?? "" };
  }

  async observe(): Promise<MachineObservation> {
    const { author, verbs } = this.#options;
    const item = await this.#item();
    return verbs.run("observe", () => author.observe({ ...this.#verbContext(), item }));
  }

  async create(bootstrap: RecordedDelivery): Promise<MachineFacts | void> {
    return this.#write("create", () => {
      const context: CreateContext<O, Api> = { ...this.#verbContext(), bootstrap };
      return this.#options.author.create(context);
    });
  }

  async step(name: string, { handle }: MachineFacts): Promise<void> {
    const step = this.#options.author.steps?.[name];
    if (step === undefined) {
      throw new CapstanError({
        code: "kit.step_unknown",
        reason: "StepUnknown",
        message: `${describeObject(this.changes.object)}: observe asked for the step "${name}", which the provider does not have`,
        retry: { kind: "never" },
      });
    }
    const item = await this.#item();
    await this.#write(name, () => step({ ...this.#verbContext(), handle, item }));
  }

  async remove(handle: string): Promise<void> {
    await this.#write("remove", () => this.#options.author.remove({ ...this.#verbContext(), handle }));
  }

  /**
   * Whatever a writing verb ends with, it may have changed the world. When the cloud named a time to wait for, no event makes us come
   * back before it is over.
   */
  async #write<T>(verb: string, work: () => Promise<T>): Promise<T> {
    const { holds, inventory, verbs } = this.#options;
    const uid = this.changes.object.metadata.uid ?? "";
    const inputs = this.#inputs();
    return holds.around(uid, { verb, inputs }, async () => {
      try {
        return await verbs.run(verb, work);
      } finally {
        inventory?.wrote(uid);
      }
    });
  }

  /** The credentials' version is part of what `connect` made the api from. */
  #inputs(): string {
    const { cluster, infraCluster } = this.#options;
    return `${inputsOf(this.changes.object, this.machine, cluster, infraCluster)} ${this.#fingerprint}`;
  }

  /** The machine's item of the shared list; that there is none is believed only of a list younger than this reconcile. */
  async #item(): Promise<Item | undefined> {
    const { began, context, inventory, request } = this.#options;
    if (inventory === undefined) return undefined;
    const { identity } = this.#verbContext();
    const providerID = infraMachine.for("v1beta2").providerID.get(this.changes.object);
    const member = { uid: identity.uid, tag: identity.tag, providerID, request };
    const { signal } = context;
    const found = await inventory.find(this.#place(), member, { signal });
    return found ?? inventory.find(this.#place(), member, { after: began, signal });
  }

  #place(): { readonly api: Api; readonly scope: string } {
    if (this.#connected === undefined) throw new TypeError("a verb was called before connect");
    return this.#connected;
  }

  #verbContext(): MachineVerbContext<O, Api> {
    const { cluster, context, infraCluster, machine, request, secrets } = this.#options;
    const { object } = this.changes;
    return {
      ...verbContext({ object, api: this.#place().api, owner: machine, cluster, context, request, secrets }),
      infraCluster,
      controlPlane: isControlPlane(machine) || isControlPlane(object),
      failureDomain: machineFields.failureDomain.get(machine),
      version: machineFields.version.get(machine),
    };
  }
}
