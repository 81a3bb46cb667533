import { type ConditionInput } from "@capstan/contract/wire";
import {
  cluster as clusterFields,
  clusterSecretName,
  ConfigMapResource,
  isControlPlane,
  isPoolComplete,
  machine as machineFields,
} from "@capstan/contract/wire";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import { canonicalJson, type KubeObject } from "@capstan/schema";
import type { ObjectContext, Waiting } from "../../engine/author.ts";
import { secretText } from "../../engine/credentials.ts";
import type { Observation } from "../../engine/observation.ts";
import { observations } from "../../engine/observation.ts";
import { LifeReason } from "../../engine/reasons.ts";
import type { Uses, Using } from "../../engine/uses/use.ts";
import { asAccount, workloadClusters } from "../../workload/workload-clusters.ts";
import type { BootstrapAuthor, BootstrapContext, BootstrapOutcome } from "./author.ts";
import type { BootstrapOwner } from "./owner.ts";
import { isControlPlaneInitialized } from "../control-plane-initialized.ts";
import { lockName } from "./init-lock.ts";
import type { LockWaiters } from "./lock-triggers.ts";
import type { SecretPlace, StoredSecret } from "./data-secret.ts";
import { adoptSecret, storeDocument } from "./data-secret.ts";
import { clusterSecretText } from "./cluster-secret-text.ts";
import type { BootstrapFacts } from "./status.ts";
import { dataSecretOf } from "./status.ts";
import { RoleReason } from "../reasons.ts";
import { createHash } from "node:crypto";

/** A digest of what a document is made from: the spec of the config, and the version of its machines. */
const documentRevision = (config: KubeObject, machine: KubeObject): string =>
  createHash("sha256")
    .update(canonicalJson([config["spec"], machineFields.version.get(machine)]))
    .digest("hex")
    .slice(0, 16);

/** Time after the join of a worker in which a starting process still tells its author, in milliseconds. */
const joinedWithinMs = 3_600_000;

const { absent, pending, present } = observations<BootstrapFacts>();

/** The objects around a bootstrap config, and the results of one reconcile. */
export interface BootstrapSurroundings extends BootstrapOwner {
  readonly cluster: KubeObject;
  /** Conditions said in this reconcile, by type. */
  readonly said: Map<string, ConditionInput>;
  readonly found: {
    /** The data Secret, which may be there whatever the status says. */
    secret: StoredSecret | undefined;
    outcome?: BootstrapOutcome;
    refreshed: boolean;
    /** The author wants the document rendered again. */
    stale: boolean;
    removed: boolean;
  };
}

type Context<O extends KubeObject, U> = ObjectContext<O> & BootstrapSurroundings & Using<U>;

/** Decisions of this process and the author about one config. */
interface Accompanied {
  /** When the author wants to be asked to refresh, in milliseconds since the epoch. */
  refreshAt: number;
  joined: boolean;
}

/**
 * The data of bootstrap configs of one kind: one Secret per config, made once, kept usable until the Node is there. That of a MachinePool is
 * recreated when what it is made from changes, and kept usable as long as the pool is there.
 */
export class BootstrapData<O extends KubeObject, U extends Uses<O>> {
  readonly #author: BootstrapAuthor<O, U>;
  /** By uid. */
  readonly #accompanied = new Map<string, Accompanied>();

  readonly #lockWaiters: LockWaiters;

  constructor(author: BootstrapAuthor<O, U>, lockWaiters: LockWaiters) {
    this.#author = author;
    this.#lockWaiters = lockWaiters;
  }

  async waits(context: Context<O, U>): Promise<Waiting | undefined> {
    context.found.secret = await adoptSecret(this.#place(context));
    if (clusterFields.infrastructureProvisioned.get(context.cluster) === true) return undefined;
    const message = "the Cluster's infrastructure is not provisioned yet";
    return { reason: RoleReason.waitingForClusterInfrastructure, message };
  }

  observe(context: Context<O, U>): Observation<BootstrapFacts> {
    const { changes, found, machine, object, pool } = context;
    if (isBeingDeleted(object)) return found.removed ? absent() : pending({ reason: LifeReason.deleting });
    const stored = found.secret === undefined ? undefined : changes.object.metadata.name;
    // The machines of a pool are still to come: data that is gone is of no use to them.
    const dataSecret = pool === undefined ? (dataSecretOf(changes.object, machine) ?? stored) : stored;
    if (dataSecret !== undefined) return this.#accompany(context, dataSecret);
    if (found.outcome?.state !== "waiting") return absent({ step: "generate" });
    const { message, reason, requeueAfterMs } = found.outcome;
    return pending({ reason, message, ...(requeueAfterMs === undefined ? {} : { pollMs: requeueAfterMs }) });
  }

  async generate(context: Context<O, U>): Promise<void> {
    const { clock, found } = context;
    const outcome = await this.#author.generate(this.#context(context));
    found.outcome = outcome;
    if (outcome.state === "waiting") return;
    found.secret = await storeDocument(this.#place(context), { ...outcome, revision: this.#revision(context) });
    found.stale = false;
    const { format, value } = outcome;
    context.environment.log.debug("created the bootstrap data", { format, bytes: Buffer.byteLength(value) });
    this.#refreshLater(context, outcome.requeueAfterMs, clock.now());
  }

  async refresh(context: Context<O, U>): Promise<void> {
    const result = await this.#author.refresh?.(this.#context(context));
    context.found.refreshed = true;
    context.found.stale = result?.stale === true;
    this.#refreshLater(context, result?.requeueAfterMs, context.clock.now());
  }

  async joined(context: Context<O, U>): Promise<void> {
    await this.#author.joined?.(this.#context(context));
    this.#accompaniedOf(context).joined = true;
  }

  async remove(context: Context<O, U>): Promise<void> {
    await this.#author.remove?.(this.#context(context));
    context.found.removed = true;
  }

  forget(uid: string): void {
    this.#accompanied.delete(uid);
    this.#lockWaiters.forget(uid);
  }

  /** A pause may last longer than what the data is made of, such as a token: the author is asked as soon as it ends. */
  paused(uid: string): void {
    const known = this.#accompanied.get(uid);
    if (known !== undefined) known.refreshAt = 0;
  }

  /** The data is there: keeps it usable until the machine has its Node, then lets the author know once. */
  #accompany(context: Context<O, U>, dataSecret: string): Observation<BootstrapFacts> {
    const { clock, found, machine } = context;
    const accompanied = this.#accompaniedOf(context);
    if (this.#isOutdated(context)) {
      if (found.outcome?.state !== "waiting") return present({ dataSecret, step: "generate" });
      const { requeueAfterMs } = found.outcome;
      return present({ dataSecret, ...(requeueAfterMs === undefined ? {} : { pollMs: requeueAfterMs }) });
    }
    if (machineFields.nodeName.get(machine) !== undefined) {
      const isNews = this.#author.joined !== undefined && !accompanied.joined && mayBeNew(context);
      return present({ dataSecret, ...(isNews ? { step: "joined" } : {}) });
    }
    const early = accompanied.refreshAt - clock.now();
    if (early > 0) return present({ dataSecret, pollMs: early });
    const isDue = this.#author.refresh !== undefined && found.outcome === undefined && !found.refreshed;
    return present({ dataSecret, ...(isDue ? { step: "refresh" } : {}) });
  }

  /** Returns whether the data of a pool is of another spec or version than it has now. */
  #isOutdated(context: Context<O, U>): boolean {
    const { found, pool } = context;
    return pool !== undefined && (found.stale || found.secret?.revision !== this.#revision(context));
  }

  /** The digest of the input of a pool's document. The document of a Machine is made once. */
  #revision({ changes, machine, pool }: Context<O, U>): string | undefined {
    return pool === undefined ? undefined : documentRevision(changes.object, machine);
  }

  #accompaniedOf({ identity: { uid } }: Context<O, U>): Accompanied {
    const known = this.#accompanied.get(uid) ?? { refreshAt: 0, joined: false };
    this.#accompanied.set(uid, known);
    return known;
  }

  #refreshLater(context: Context<O, U>, requeueAfterMs: number | undefined, now: number): void {
    if (requeueAfterMs !== undefined) this.#accompaniedOf(context).refreshAt = now + requeueAfterMs;
  }

  #place({ changes, cluster, environment }: Context<O, U>): SecretPlace {
    return {
      kind: this.#author.kind,
      config: changes.object,
      clusterName: cluster.metadata.name ?? "",
      context: environment,
    };
  }

  #context({
    changes,
    cluster,
    environment,
    event,
    machine,
    pool,
    said,
    secrets,
    ...context
  }: Context<O, U>): BootstrapContext<O, U> {
    const { namespace = "", name = "" } = cluster.metadata;
    const seenSecret: BootstrapContext<O, U>["seenSecret"] = (key) =>
      secrets.read(key, keyOf(changes.object), environment);
    const read = (secretName: string) => seenSecret({ namespace, name: secretName });
    return {
      object: changes.object,
      machine,
      pool: pool === undefined ? undefined : { object: pool, isComplete: isPoolComplete(pool) },
      cluster,
      controlPlane: isControlPlane(machine),
      client: environment.client,
      clock: context.clock,
      random: context.random,
      log: context.log,
      call: context.call,
      event,
      persistSpec: (patch) => changes.writeNow({ spec: patch }),
      secret: async (secretName) => {
        const found = await read(secretName);
        return found && secretText(found.data);
      },
      clusterSecret: async (purpose) => {
        const found = await read(clusterSecretName(name, purpose));
        return found && clusterSecretText(cluster, found.secret, found.data);
      },
      watchSecret: (key) => secrets.watch(key, keyOf(changes.object)),
      seenSecret,
      madeSecret: (secret) => secrets.created(secret, environment),
      mayBeLocked: () => environment.cache.get(ConfigMapResource, { namespace, name: lockName(name) }) !== undefined,
      awaitsLock: (awaits) => {
        if (awaits) this.#lockWaiters.note(changes.object, { namespace, name });
        else this.#lockWaiters.forget(context.identity.uid);
      },
      workload: async () =>
        asAccount(environment.service(workloadClusters), this.#author.workload).get({ namespace, name }).client,
      uses: context.uses,
      condition: (condition) => void said.set(condition.type, condition),
    };
  }
}

/**
 * A process that starts need not ask after machines that joined long ago; of control planes there are few. The first of them keeps the lock
 * until its Cluster says that there is a control plane: whoever looked before that would begin another one.
 */
const mayBeNew = ({ clock, cluster, machine }: ObjectContext<KubeObject> & BootstrapSurroundings): boolean => {
  if (isControlPlane(machine) && !isControlPlaneInitialized(cluster)) return false;
  const since = Date.parse(machineFields.lastUpdated.get(machine) ?? "");
  return isControlPlane(machine) || !(clock.now() - since > joinedWithinMs);
};
