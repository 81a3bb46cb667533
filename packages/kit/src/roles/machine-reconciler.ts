import type { ContractVersion } from "@capstan/contract/wire";
import {
  cluster as clusterFields,
  ClusterResource,
  MachineResource,
  infraMachine,
  machine as machineFields,
  ownerOfKind,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube";
import type { Environment, ReconcileContext, Request, Result } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { UploadMemory } from "../delivery/machine-store.ts";
import type { InfraMachineAuthor, MachineObservation } from "./author.ts";
import { SecretReader } from "../engine/credentials.ts";
import { concluded, notePaused } from "../engine/conclude.ts";
import type { Failure } from "../engine/failures.ts";
import { heldFinalizers, isHeld, releasedFinalizers } from "../engine/finalizers.ts";
import type { SharedInventory } from "../engine/inventory.ts";
import { deleteStored, machineDelivery, mayDeleteStored, recordDelivery } from "./machine-delivery.ts";
import type { DeliveryPlace } from "./machine-delivery.ts";
import {
  beingDeleted,
  factsPatch,
  isProvisioned,
  observedConditions,
  provisionedPatch,
  wasCreated,
} from "./machine-status.ts";
import { MachineVisit } from "./machine-visit.ts";
import type { ObjectChanges } from "../engine/save/object-changes.ts";
import { keyOf } from "../engine/save/object-changes.ts";
import { onceEach } from "../engine/once-each.ts";
import { ObjectSaver } from "../engine/save/object-saver.ts";
import { isOwnField } from "./contract-fields.ts";
import { ShellReason } from "../engine/reasons.ts";
import { infraClusterOf, relationsOf, vanished } from "../engine/relations.ts";
import type { Telling } from "../engine/stages.ts";
import { StageTimes } from "../engine/stages.ts";
import type { Verbs } from "../engine/verbs.ts";
import { failureConditions, waitingConditions } from "../engine/waiting.ts";
import { WriteHolds } from "../engine/write-holds.ts";

/** How often a server that is as it should be is looked at when no list tells of changes. */
const driftPollMs = 300_000;
const defaultPollMs = 10_000;
const removalPollMs = 5000;
const storeRetryMs = 600_000;

const fields = infraMachine.for("v1beta2");

export interface MachineReconcilerOptions<O extends KubeObject, Api, Item> {
  readonly author: InfraMachineAuthor<O, Api, Item>;
  readonly environment: Environment;
  readonly contract: ContractVersion;
  readonly inventory: SharedInventory<Api, Item> | undefined;
  readonly verbs: Verbs;
}

/** Something that an observation asks for. */
interface Write {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Why no server may be made yet: reason and message. */
const notYet = (machine: KubeObject, cluster: KubeObject): readonly [string, string] | undefined => {
  if (isBeingDeleted(machine)) return [ShellReason.deleting, "the Machine is being deleted"];
  if (clusterFields.infrastructureProvisioned.get(cluster) !== true) {
    return [ShellReason.waitingForClusterInfrastructure, "the Cluster's infrastructure is not provisioned yet"];
  }
  if (machineFields.dataSecretName.get(machine) === undefined) {
    return [ShellReason.waitingForBootstrapData, "Machine.spec.bootstrap.dataSecretName is not set yet"];
  }
  return undefined;
};

/** The life of infrastructure machines of one kind, between the author's verbs and the Cluster API contract. */
export class MachineReconciler<O extends KubeObject, Api, Item> {
  readonly secrets = new SecretReader();
  readonly saver: ObjectSaver<O>;
  readonly #options: MachineReconcilerOptions<O, Api, Item>;
  readonly #uploads: UploadMemory = new Map();
  /** Machines whose stored bootstrap data this process has dealt with on the way out. */
  readonly #cleaned = new Set<string>();
  readonly #uids = new Map<string, string>();
  readonly #holds: WriteHolds;
  readonly #stages = new StageTimes();

  constructor(options: MachineReconcilerOptions<O, Api, Item>) {
    this.#options = options;
    this.saver = new ObjectSaver({ kind: options.author.kind, contract: options.contract, mayWait: isOwnField });
    this.#holds = new WriteHolds(options.environment.clock);
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const { author, inventory } = this.#options;
    const began = inventory?.now() ?? 0;
    const object = context.cache.get<O>(author.kind, request);
    if (object === undefined) {
      this.#forget(request);
      return {};
    }
    this.#uids.set(`${request.namespace}/${request.name}`, object.metadata.uid ?? "");
    const deleting = isBeingDeleted(object);
    if (deleting && !isHeld(object, author)) return {};
    const relations = relationsOf(context.cache, object);
    if (!deleting && (relations.machine === undefined || relations.cluster === undefined)) return {};
    const machine = relations.machine ?? vanished(object, MachineResource, ownerOfKind(object, MachineResource));
    const cluster = relations.cluster ?? vanished(object, ClusterResource);
    const infraCluster = infraClusterOf(context.cache, relations.cluster, author.clusterKind);
    const { secrets } = this;
    const changes = this.saver.begin(object, context);
    const visit = new MachineVisit({
      ...this.#options,
      changes,
      context,
      request,
      machine,
      cluster,
      infraCluster,
      secrets,
      holds: this.#holds,
      began,
    });
    const subject = {
      changes,
      context,
      credentials: () => visit.credentialsSecret,
      onFailure: (failure: Failure) => failureConditions(failure, isProvisioned(changes.object)),
    };
    return concluded(subject, async () => {
      if (notePaused(changes, relations.cluster)) return {};
      return deleting ? this.#remove(visit) : this.#maintain(visit);
    });
  }

  async #maintain(visit: MachineVisit<O, Api, Item>): Promise<Result> {
    const { changes, cluster, machine } = visit;
    if (!wasCreated(changes.object)) {
      const reason = notYet(machine, cluster);
      if (reason !== undefined) return this.#wait(visit, ...reason);
    }
    await visit.connect();
    const finalizers = heldFinalizers(changes.object, this.#options.author);
    await changes.writeNow({ metadata: { finalizers } });
    const once = onceEach();
    for (;;) {
      const observation = await visit.observe();
      const write = this.#note(visit, observation);
      if (write === undefined) return this.#settle(visit, observation);
      if (!once(write.name)) return { requeueAfterMs: defaultPollMs };
      await write.run();
      // The next list tells what came of it, and wakes the machine.
      if (this.#options.inventory !== undefined) return {};
    }
  }

  /** Puts what was seen among the changes, and says what it asks for. */
  #note(visit: MachineVisit<O, Api, Item>, observation: MachineObservation): Write | undefined {
    const { changes } = visit;
    if (observation.state === "absent") {
      return wasCreated(changes.object) ? undefined : { name: "create", run: () => this.#create(visit) };
    }
    changes.mergeField(factsPatch(changes.object, observation));
    const provisioned = isProvisioned(changes.object);
    changes.condition(...observedConditions(observation, provisioned, this.#teller(changes)));
    if (observation.state === "present" || observation.state === "failed") this.#stages.forget(keyOf(changes.object));
    if (observation.state === "present") this.#noteProvisioned(visit, observation.providerID);
    const step = "step" in observation ? observation.step : undefined;
    if (step === undefined) return undefined;
    return { name: `step ${step}`, run: () => visit.step(step, observation) };
  }

  async #create(visit: MachineVisit<O, Api, Item>): Promise<void> {
    const { author } = this.#options;
    const { changes } = visit;
    const creating = { reason: ShellReason.creating, message: "the server is being created" };
    changes.condition(...waitingConditions(creating.reason, this.#teller(changes)(creating), false));
    const delivery = machineDelivery(this.#deliveryPlace(visit), visit.machine, author.formats);
    try {
      const facts = await visit.create(delivery);
      if (facts !== undefined) changes.mergeField(factsPatch(changes.object, facts));
    } finally {
      recordDelivery(changes, delivery);
    }
    this.#uploads.delete(changes.object.metadata.uid ?? "");
    const { route, sizeBytes } = delivery.record() ?? {};
    const told = route === undefined ? "" : `; bootstrap data: ${sizeBytes} bytes, ${route}`;
    visit.event({ type: "Normal", reason: "Created", message: `created the server${told}` });
  }

  async #settle(visit: MachineVisit<O, Api, Item>, observation: MachineObservation): Promise<Result> {
    const { inventory } = this.#options;
    const { changes } = visit;
    const uid = changes.object.metadata.uid ?? "";
    inventory?.settle(uid, observation.state !== "pending" && observation.state !== "removing");
    if (observation.state === "absent") {
      const message = "the server that was made for this object does not exist any more; it is not made again";
      changes.condition(...waitingConditions(ShellReason.missing, message, true, "Error"));
      return inventory === undefined ? { requeueAfterMs: driftPollMs } : {};
    }
    if (observation.state !== "present") {
      const byDefault = observation.state === "failed" ? driftPollMs : defaultPollMs;
      if (observation.pollMs !== undefined) return { requeueAfterMs: observation.pollMs };
      return inventory === undefined ? { requeueAfterMs: byDefault } : {};
    }
    return this.#present(visit);
  }

  /** The server is as it should be: with its provider id the machine is provisioned, also while a step puts something right. */
  #noteProvisioned(visit: MachineVisit<O, Api, Item>, observedID: string | undefined): void {
    const { changes } = visit;
    const providerID = observedID ?? fields.providerID.get(changes.object);
    if (providerID === undefined) {
      this.#wait(visit, "WaitingForProviderID", "the server is there but has no provider id yet");
      return;
    }
    if (!isProvisioned(changes.object)) {
      visit.event({ type: "Normal", reason: "Provisioned", message: `provisioned as ${providerID}` });
    }
    changes.mergeField(provisionedPatch());
  }

  async #present(visit: MachineVisit<O, Api, Item>): Promise<Result> {
    const { changes, machine } = visit;
    const settled: Result = this.#options.inventory === undefined ? { requeueAfterMs: driftPollMs } : {};
    if (machineFields.nodeName.get(machine) === undefined || !mayDeleteStored(changes.object)) return settled;
    const deleted = await deleteStored(this.#deliveryPlace(visit));
    return deleted ? settled : { requeueAfterMs: storeRetryMs };
  }

  #wait(visit: MachineVisit<O, Api, Item>, reason: string, message: string): Result {
    const provisioned = isProvisioned(visit.changes.object);
    visit.changes.condition(...waitingConditions(reason, message, provisioned));
    return {};
  }

  async #remove(visit: MachineVisit<O, Api, Item>): Promise<Result> {
    const { changes } = visit;
    const uid = changes.object.metadata.uid ?? "";
    const leaving = { reason: ShellReason.deleting, message: beingDeleted };
    changes.condition(...waitingConditions(leaving.reason, this.#teller(changes)(leaving), true));
    if (!this.#cleaned.has(uid)) {
      this.#cleaned.add(uid);
      await deleteStored(this.#deliveryPlace(visit));
    }
    await visit.connect();
    const observation = await visit.observe();
    if (observation.state === "absent") return this.#dropFinalizer(visit);
    changes.mergeField(factsPatch(changes.object, observation, true));
    if (observation.state === "removing") {
      changes.condition(...observedConditions(observation, true, this.#teller(changes)));
      return { requeueAfterMs: observation.pollMs ?? removalPollMs };
    }
    await visit.remove(observation.handle);
    if (this.#options.inventory !== undefined) return {};
    const after = await visit.observe();
    return after.state === "absent" ? this.#dropFinalizer(visit) : { requeueAfterMs: removalPollMs };
  }

  /** Words of conditions, with the stage before them where the author named stages. */
  #teller({ object }: ObjectChanges<O>): (telling: Telling) => string {
    const { author, environment } = this.#options;
    return (telling) =>
      this.#stages.message(object, author.stages?.({ object }) ?? [], telling, environment.clock.now());
  }

  #deliveryPlace(visit: MachineVisit<O, Api, Item>): DeliveryPlace<O> {
    const { changes, context } = visit;
    return { changes, context, request: visit.objectStore(), secrets: this.secrets, uploads: this.#uploads };
  }

  /** Nothing of the machine is left: lets the object go. */
  #dropFinalizer(visit: MachineVisit<O, Api, Item>): Result {
    const { changes } = visit;
    visit.event({ type: "Normal", reason: "Deleted", message: "the server is gone" });
    changes.release({ metadata: { finalizers: releasedFinalizers(changes.object, this.#options.author) } });
    return {};
  }

  #forget(request: Request): void {
    this.secrets.forget(request);
    this.#stages.forget(request);
    const name = `${request.namespace}/${request.name}`;
    const uid = this.#uids.get(name);
    this.#uids.delete(name);
    if (uid === undefined) return;
    this.#options.inventory?.forget(uid);
    this.#cleaned.delete(uid);
    this.#uploads.delete(uid);
    this.#holds.forget(uid);
  }
}
