import type { BootstrapDelivery } from "@capstan/contract/v1";
import { machine as machineFields, SecretResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { bootstrapDelivery } from "../../delivery/bootstrap-delivery.ts";
import type { RecordedDelivery } from "../../delivery/bootstrap-delivery.ts";
import { deliveryRecordOf, deliveryRecordPatch, hasStoredData } from "../../delivery/delivery-record.ts";
import type { DeliveryRecord } from "../../delivery/delivery-record.ts";
import type { UploadMemory } from "../../delivery/machine-store.ts";
import type { ObjectStoreRequest } from "../../delivery/object-store-request.ts";
import { requestedTargets } from "../../delivery/store-access.ts";
import type { StoreAccess } from "../../delivery/store-access.ts";
import type { LifeContext, ObjectContext } from "../../engine/author.ts";
import { secretBytes } from "../../engine/credentials.ts";
import type { Seen } from "../../engine/observation.ts";
import type { InfraMachineAuthor, MachineFacts, MachineSurroundings } from "./author.ts";
import { storeAccess } from "./store-access.ts";
import { MachineReports } from "./report.ts";
import type { ReportNeeds, Underway } from "./report.ts";
import { deleteAllStored, deleteStoredData, noteSwept } from "./stored-data.ts";
import type { StoredDataPlace } from "./stored-data.ts";
import { storedConditions } from "./stored-conditions.ts";
import { storeRequestOf } from "./store-request.ts";
import { RoleEvent } from "../reasons.ts";

type Context<O extends KubeObject, C extends KubeObject> = ObjectContext<O> & MachineSurroundings<C>;

/** A machine author's options for bootstrap data. */
type BootstrapNeeds<O extends KubeObject, Api, C extends KubeObject> = ReportNeeds<O, Api, C> &
  Pick<InfraMachineAuthor<O, Api, never, C>, "formats">;

/** Interval of checking whether leftover data of a machine has been deleted. */
const leftoverPollMs = 300_000;

/** Bootstrap data of machines of one kind: handed over when a server is made, and deleted where it was stored. */
export class MachineBootstrap<O extends KubeObject, Api, C extends KubeObject> {
  readonly #author: BootstrapNeeds<O, Api, C>;
  readonly #reports: MachineReports<O, Api, C>;
  readonly #uploads: UploadMemory = new Map();
  /** Machines whose stored data this process has dealt with on the way out. */
  readonly #cleaned = new Set<string>();

  constructor(author: BootstrapNeeds<O, Api, C>) {
    this.#author = author;
    this.#reports = new MachineReports(author);
  }

  async create(
    context: Context<O, C>,
    create: (bootstrap: BootstrapDelivery) => Promise<MachineFacts | void>,
  ): Promise<MachineFacts | void> {
    let record: DeliveryRecord | undefined;
    const facts = await this.deliver(context, create, (delivered) => {
      record = delivered;
    });
    this.#reports.forget(context.identity.uid);
    const sent = record === undefined ? "" : `; bootstrap data: ${record.sizeBytes} bytes, ${record.route}`;
    context.event({ type: "Normal", reason: RoleEvent.created, message: `created the server${sent}` });
    return facts;
  }

  /** Delivers the bootstrap data and records how. */
  async deliver<Result>(
    context: Context<O, C>,
    use: (bootstrap: BootstrapDelivery) => Promise<Result>,
    delivered: (record: DeliveryRecord | undefined) => void = () => undefined,
  ): Promise<Result> {
    const delivery = this.#delivery(context);
    try {
      const result = await use(delivery);
      this.#uploads.delete(context.identity.uid);
      delivered(delivery.record());
      return result;
    } finally {
      const record = delivery.record();
      if (record !== undefined) context.changes.merge(deliveryRecordPatch(record));
    }
  }

  /** Called once the node is running: deletes the stored data, and polls the bootstrap report until there is a result. */
  async settled(
    context: LifeContext<O, Api, MachineSurroundings<C>> & { readonly seen: Seen<MachineFacts> },
  ): Promise<{ readonly requeueAfterMs: number } | undefined> {
    const { changes, machine, seen } = context;
    const joined = seen.state === "present" && machineFields.nodeName.get(machine) !== undefined;
    changes.condition(...storedConditions(changes.object));
    const { isNoted, leftMs } = context.openWrites;
    // What was put late is deleted as well, once nothing can come any more: the note goes after that.
    if (joined && (hasStoredData(changes.object) || (isNoted && leftMs === 0))) {
      await deleteStoredData(this.#place(context));
    }
    const left = await noteSwept(this.#place(context));
    const asked = await this.#reports.settled(context);
    const waits = [
      asked?.requeueAfterMs,
      left ? leftoverPollMs : undefined,
      joined && leftMs > 0 ? leftMs : undefined,
    ].filter((ms) => ms !== undefined);
    return waits.length === 0 ? undefined : { requeueAfterMs: Math.min(...waits) };
  }

  /** A server that is being made and does not come up is told of in its time. */
  underway(context: Underway<O, Api, C>): Promise<{ readonly requeueAfterMs: number } | undefined> {
    return this.#reports.underway(context);
  }

  /** Deletes what was stored, at most once per process once nothing can come any more: a failure holds nothing up. */
  async beforeRemoval(context: Context<O, C>): Promise<undefined> {
    const { uid } = context.identity;
    if (this.#cleaned.has(uid)) return;
    await deleteAllStored(this.#place(context));
    if (context.openWrites.leftMs === 0) this.#cleaned.add(uid);
  }

  forget(uid: string): void {
    this.#cleaned.delete(uid);
    this.#uploads.delete(uid);
    this.#reports.forget(uid);
  }

  #delivery(context: Context<O, C>): RecordedDelivery {
    const { changes, environment, identity, machine, openWrites, secrets } = context;
    const { formats } = this.#author;
    const { namespace, uid } = identity;
    const secretName = machineFields.dataSecretName.get(machine) ?? "";
    const request = this.#request(context);
    const user = keyOf(changes.object);
    const accessTo = (named: ObjectStoreRequest): StoreAccess => {
      const { defaultType } = named;
      const targets = requestedTargets(named, namespace);
      return { ...storeAccess({ targets, defaultType }, user, secrets, environment), sent: openWrites.sent };
    };
    const delivery = bootstrapDelivery({
      secretName,
      namespace,
      key: uid,
      owner: identity.owner.mark,
      ...(formats === undefined ? {} : { formats }),
      readBootstrap: async () => {
        const key = { namespace, name: secretName };
        // What is missing or wrong in it is put right there.
        secrets.watch(key, user);
        const secret = await environment.client.find(SecretResource, key, { signal: environment.signal });
        return secret === undefined ? undefined : secretBytes(secret);
      },
      prepare: (data) => this.#reports.prepare(data, context),
      store: request === undefined ? undefined : accessTo(request),
      expiresInSeconds: request?.expiresInSeconds,
      uploads: this.#uploads,
      announce: async (record) => {
        const before = deliveryRecordOf(changes.object);
        const isSame = before?.route === record.route && before.stores?.join() === record.stores?.join();
        if (isSame && before.key === record.key && before.checksum === record.checksum) return;
        await changes.writeNow(deliveryRecordPatch(record));
      },
      log: environment.log,
    });
    const deliver: BootstrapDelivery["deliver"] = async (routes) => {
      try {
        return await delivery.deliver(routes);
      } catch (error) {
        openWrites.accounted(error);
        throw error;
      }
    };
    return { ...delivery, deliver };
  }

  #request({ changes, environment, infraCluster }: Context<O, C>): ObjectStoreRequest | undefined {
    return storeRequestOf(this.#author.objectStore, { object: changes.object, infraCluster }, environment);
  }

  #place(context: Context<O, C>): StoredDataPlace<O> {
    const { changes, environment, secrets } = context;
    return { changes, context: environment, request: this.#request(context), secrets };
  }
}
