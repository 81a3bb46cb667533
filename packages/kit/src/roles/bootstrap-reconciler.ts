import type { ConditionInput } from "@capstan/contract/wire";
import {
  bootstrapConfig,
  cluster as clusterFields,
  conditionsOf,
  isControlPlane,
  machine as machineFields,
  mergePatches,
  setCondition,
  summarize,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube";
import type { ReconcileContext, Request, Result } from "@capstan/runtime";
import { requestFor } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { CapstanError } from "@capstan/contract";
import type { ExternalObjects } from "../external/external-objects.ts";
import { workloadClusters } from "../workload/workload-clusters.ts";
import type { BootstrapAuthor, BootstrapContext } from "./bootstrap-author.ts";
import type { SecretPlace } from "./bootstrap-secret.ts";
import { adoptSecret, storeDocument } from "./bootstrap-secret.ts";
import { concluded, notePaused } from "../engine/conclude.ts";
import { SecretReader, secretText } from "../engine/credentials.ts";
import type { Failure } from "../engine/failures.ts";
import { nameOf } from "../engine/save/late-progress.ts";
import type { ObjectChanges } from "../engine/save/object-changes.ts";
import { keyOf } from "../engine/save/object-changes.ts";
import { ObjectSaver } from "../engine/save/object-saver.ts";
import { isOwnField } from "../engine/save/own-fields.ts";
import { RoleReason } from "./reasons.ts";
import { relationsOf } from "./relations.ts";
import type { Verbs } from "../engine/verbs.ts";

/** Condition of bootstrap configs: the Secret with the bootstrap data is there. */
export const dataSecretAvailable = "DataSecretAvailable";
/** How long after a worker has joined its author is still told so by a process that starts, in milliseconds. */
const joinedWithinMs = 3_600_000;

/** Every bootstrap provider of ours follows it, whatever else. */
const contract = "v1beta2";
const fields = bootstrapConfig.for(contract);
const olderFields = bootstrapConfig.for("v1beta1");

export interface BootstrapReconcilerOptions<O extends KubeObject> {
  readonly author: BootstrapAuthor<O>;
  readonly verbs: Verbs;
  /** Present when the author follows references. */
  readonly externals: ExternalObjects | undefined;
}

/** What this process has told the author about one config. */
interface Told {
  readonly uid: string;
  /** When the author wants to be asked to refresh, in milliseconds since the epoch. */
  refreshAt: number;
  joined: boolean;
}

interface Visit<O extends KubeObject> {
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  readonly machine: KubeObject;
  readonly cluster: KubeObject;
  /** Conditions said in this reconcile, by type. */
  readonly said: Map<string, ConditionInput>;
}

/** The name of the data Secret, once there is one: by own status, or by the Machine after a move. */
const dataSecretOf = (config: KubeObject, machine: KubeObject): string | undefined =>
  (fields.dataSecretName.get(config) ?? machineFields.dataSecretName.get(machine)) || undefined;

/** The life of bootstrap configs of one kind: one Secret per config, made once. */
export class BootstrapReconciler<O extends KubeObject> {
  readonly saver: ObjectSaver<O>;
  readonly #options: BootstrapReconcilerOptions<O>;
  readonly secrets = new SecretReader();
  /** What was said to authors about configs, by name. */
  readonly #told = new Map<string, Told>();

  constructor(options: BootstrapReconcilerOptions<O>) {
    this.#options = options;
    this.saver = new ObjectSaver({ kind: options.author.kind, contract, mayWait: isOwnField });
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const { author } = this.#options;
    const config = context.cache.get<O>(author.kind, request);
    if (config === undefined) {
      this.#told.delete(nameOf(request));
      this.secrets.forget(request);
      return {};
    }
    const { machine, cluster } = relationsOf(context.cache, config);
    if (machine === undefined || cluster === undefined) return {};
    const visit: Visit<O> = {
      changes: this.saver.begin(config, context),
      context,
      machine,
      cluster,
      said: new Map(),
    };
    const subject = {
      changes: visit.changes,
      context,
      credentials: () => undefined,
      onFailure: (failure: Failure) => this.#failureConditions(visit, failure),
    };
    return concluded(subject, async () => {
      if (notePaused(visit.changes, cluster) || isBeingDeleted(config)) return {};
      const result = await this.#maintain(visit);
      this.#summarize(visit);
      return result;
    });
  }

  async #maintain(visit: Visit<O>): Promise<Result> {
    const { changes, cluster, machine } = visit;
    const place = this.#place(visit);
    const exists = await adoptSecret(place);
    if (clusterFields.infrastructureProvisioned.get(cluster) !== true) {
      const message = "the Cluster's infrastructure is not provisioned yet";
      this.#unavailable(visit, RoleReason.waitingForClusterInfrastructure, message);
      return {};
    }
    const name = dataSecretOf(changes.object, machine) ?? (exists ? changes.object.metadata.name : undefined);
    if (name !== undefined) {
      this.#available(visit, name);
      return this.#accompany(visit);
    }
    return this.#generate(visit, place);
  }

  async #generate(visit: Visit<O>, place: SecretPlace): Promise<Result> {
    const { author, verbs } = this.#options;
    const outcome = await verbs.run("generate", () => author.generate(this.#context(visit)));
    const requeue = outcome.requeueAfterMs === undefined ? {} : { requeueAfterMs: outcome.requeueAfterMs };
    if (outcome.state === "waiting") {
      this.#unavailable(visit, outcome.reason, outcome.message);
      return requeue;
    }
    await storeDocument({ ...place, config: visit.changes.object }, outcome);
    this.#available(visit, visit.changes.object.metadata.name ?? "");
    const message = `made the bootstrap data: ${Buffer.byteLength(outcome.value)} bytes of ${outcome.format}`;
    visit.context.events.event(visit.changes.object, { type: "Normal", reason: "BootstrapDataReady", message });
    this.#refreshLater(visit, requeue);
    return requeue;
  }

  /** The data is there: keeps it usable until the machine has its Node, then tells the author once. */
  async #accompany(visit: Visit<O>): Promise<Result> {
    const { author, verbs } = this.#options;
    const { changes, machine } = visit;
    const told = this.#toldOf(changes.object);
    if (machineFields.nodeName.get(machine) === undefined) {
      const { refresh } = author;
      const early = told.refreshAt - visit.context.clock.now();
      if (refresh === undefined) return {};
      if (early > 0) return { requeueAfterMs: early };
      const result = await verbs.run("refresh", () => refresh(this.#context(visit)));
      this.#refreshLater(visit, result);
      return result;
    }
    const { joined } = author;
    if (joined === undefined || told.joined || !this.#mayBeNew(visit)) return {};
    await verbs.run("joined", () => joined(this.#context(visit)));
    told.joined = true;
    return {};
  }

  #toldOf(config: KubeObject): Told {
    const { uid = "" } = config.metadata;
    const key = nameOf(requestFor(keyOf(config)));
    const known = this.#told.get(key);
    if (known?.uid === uid) return known;
    const told: Told = { uid, refreshAt: 0, joined: false };
    this.#told.set(key, told);
    return told;
  }

  #refreshLater({ changes, context }: Visit<O>, { requeueAfterMs }: Result): void {
    if (requeueAfterMs !== undefined) this.#toldOf(changes.object).refreshAt = context.clock.now() + requeueAfterMs;
  }

  /** A process that starts need not ask after machines that joined long ago; of control planes there are few. */
  #mayBeNew({ context, machine }: Visit<O>): boolean {
    const since = Date.parse(machineFields.lastUpdated.get(machine) ?? "");
    return isControlPlane(machine) || !(context.clock.now() - since > joinedWithinMs);
  }

  #available(visit: Visit<O>, secretName: string): void {
    const flags = mergePatches(
      fields.dataSecretName.patch(secretName),
      fields.dataSecretCreated.patch(true),
      olderFields.dataSecretCreated.patch(true),
    );
    visit.changes.mergeField(flags);
    this.#say(visit, { type: dataSecretAvailable, status: "True", reason: "Available" });
  }

  #unavailable(visit: Visit<O>, reason: string, message: string): void {
    this.#say(visit, { type: dataSecretAvailable, status: "False", reason, message });
  }

  #say(visit: Visit<O>, condition: ConditionInput): void {
    visit.said.set(condition.type, condition);
    visit.changes.condition(condition);
  }

  /** Data that is there stays there whatever fails later; the failure itself is told as an event. */
  #failureConditions(visit: Visit<O>, failure: Failure): readonly ConditionInput[] {
    const { reason, message, severity } = failure;
    if (dataSecretOf(visit.changes.object, visit.machine) === undefined) {
      this.#say(visit, { type: dataSecretAvailable, status: "False", reason, message, severity });
    }
    return [this.#readyCondition(visit)];
  }

  #summarize(visit: Visit<O>): void {
    visit.changes.condition(this.#readyCondition(visit));
  }

  #readyCondition({ changes, context, said }: Visit<O>): ConditionInput {
    const now = context.clock.now();
    const current = [...said.values()].reduce(
      (conditions, condition) => setCondition(conditions, condition, { now }),
      conditionsOf(changes.object),
    );
    const more = (this.#options.author.readyInputs ?? []).map((type) => ({ type, ignoreIfAbsent: true }));
    return summarize(current, [{ type: dataSecretAvailable }, ...more]);
  }

  #place({ changes, cluster, context }: Visit<O>): SecretPlace {
    return {
      kind: this.#options.author.kind,
      config: changes.object,
      clusterName: cluster.metadata.name ?? "",
      context,
    };
  }

  #context(visit: Visit<O>): BootstrapContext<O> {
    const { changes, cluster, context, machine } = visit;
    return {
      object: changes.object,
      machine,
      cluster,
      controlPlane: isControlPlane(machine),
      client: context.client,
      clock: context.clock,
      random: context.random,
      log: context.log,
      call: { signal: context.signal },
      event: (event) => context.events.event(changes.object, event),
      persistSpec: (patch) => changes.writeNow({ spec: patch }),
      secret: async (name) => {
        const { namespace = "" } = cluster.metadata;
        const user = requestFor(keyOf(changes.object));
        const found = await this.secrets.read({ namespace, name }, user, context);
        return found === undefined ? undefined : secretText(found.data);
      },
      workload: async () =>
        context
          .service(workloadClusters)
          .get({ namespace: cluster.metadata.namespace ?? "", name: cluster.metadata.name ?? "" }).client,
      externals: {
        kind: (reference) => this.#externals().kind(context, reference),
        find: (reference) => this.#externals().find(context, reference, cluster.metadata.namespace),
      },
      condition: (condition) => this.#say(visit, condition),
    };
  }

  #externals(): ExternalObjects {
    const { author, externals } = this.#options;
    if (externals !== undefined) return externals;
    throw new CapstanError({
      code: "kit.references_not_followed",
      reason: "ReferencesNotFollowed",
      retry: { kind: "never" },
      message: `the author of ${author.kind.kind} uses context.externals without followsReferences; set it`,
    });
  }
}
