import { Annotation, CapstanError } from "@capstan/contract";
import type { ContractVersion } from "@capstan/contract/wire";
import { ClusterResource, describeObject, ownerOfKind } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube";
import type { Environment, ReconcileContext, Request, Result } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { ClusterObservation, ClusterVerbContext, InfraClusterAuthor } from "./author.ts";
import {
  clusterFactsPatch,
  clusterProvisionedPatch,
  isClusterProvisioned,
  observedClusterConditions,
} from "./cluster-status.ts";
import { concluded, notePaused } from "../engine/conclude.ts";
import { SecretReader } from "../engine/credentials.ts";
import type { Failure } from "../engine/failures.ts";
import { heldFinalizers, isHeld, releasedFinalizers } from "../engine/finalizers.ts";
import type { ObjectChanges } from "../engine/save/object-changes.ts";
import { keyOf } from "../engine/save/object-changes.ts";
import { onceEach } from "../engine/once-each.ts";
import { ObjectSaver } from "../engine/save/object-saver.ts";
import { isOwnField } from "./contract-fields.ts";
import { ShellReason } from "../engine/reasons.ts";
import { clusterIndex, isControlPlaneMember, owningCluster, vanished } from "../engine/relations.ts";
import type { Telling } from "../engine/stages.ts";
import { StageTimes } from "../engine/stages.ts";
import { readCredentials, verbContext, wholeRef } from "../engine/verb-context.ts";
import type { Verbs } from "../engine/verbs.ts";
import { failureConditions, waitingConditions } from "../engine/waiting.ts";
import { inputsOf, WriteHolds } from "../engine/write-holds.ts";

const driftPollMs = 600_000;
const defaultPollMs = 10_000;
const removalPollMs = 5000;

export interface ClusterReconcilerOptions<O extends KubeObject, Api> {
  readonly author: InfraClusterAuthor<O, Api>;
  readonly environment: Environment;
  readonly contract: ContractVersion;
  readonly verbs: Verbs;
}

interface Visit<O extends KubeObject> {
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  readonly request: Request;
  readonly cluster: KubeObject;
  credentialsSecret?: string;
  /** Of the credentials in use. */
  fingerprint?: string;
}

const nameOf = ({ namespace, name }: Request): string => `${namespace}/${name}`;

const byAge = (left: KubeObject, right: KubeObject): number => {
  const [a, b] = [left, right].map(({ metadata }) => `${metadata.creationTimestamp ?? ""}/${metadata.name ?? ""}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
};

/** The life of infrastructure clusters of one kind, between the author's verbs and the Cluster API contract. */
export class ClusterReconciler<O extends KubeObject, Api> {
  readonly secrets = new SecretReader();
  readonly saver: ObjectSaver<O>;
  readonly #options: ClusterReconcilerOptions<O, Api>;
  readonly #holds: WriteHolds;
  readonly #stages = new StageTimes();

  constructor(options: ClusterReconcilerOptions<O, Api>) {
    this.#options = options;
    this.saver = new ObjectSaver({ kind: options.author.kind, contract: options.contract, mayWait: isOwnField });
    this.#holds = new WriteHolds(options.environment.clock);
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const { author } = this.#options;
    const object = context.cache.get<O>(author.kind, request);
    if (object === undefined) {
      this.secrets.forget(request);
      this.#holds.forget(nameOf(request));
      this.#stages.forget(request);
      return {};
    }
    const deleting = isBeingDeleted(object);
    if (deleting && !isHeld(object, author)) return {};
    const owner = owningCluster(context.cache, object);
    if (owner === undefined && !deleting) return {};
    // Somebody else looks after it, and fills in what core reads.
    if (object.metadata.annotations?.[Annotation.managedBy] !== undefined) return {};
    const changes = this.saver.begin(object, context);
    const cluster = owner ?? vanished(object, ClusterResource, ownerOfKind(object, ClusterResource));
    const visit: Visit<O> = { changes, context, request, cluster };
    const subject = {
      changes,
      context,
      credentials: () => visit.credentialsSecret,
      onFailure: (failure: Failure) => failureConditions(failure, isClusterProvisioned(changes.object)),
    };
    return concluded(subject, async () => {
      if (notePaused(changes, owner)) return {};
      return deleting ? this.#remove(visit) : this.#maintain(visit);
    });
  }

  async #maintain(visit: Visit<O>): Promise<Result> {
    const { author } = this.#options;
    const api = await this.#connect(visit);
    await visit.changes.writeNow({ metadata: { finalizers: heldFinalizers(visit.changes.object, author) } });
    const once = onceEach();
    for (;;) {
      const observation = await this.#observe(visit, api);
      this.#note(visit.changes, observation);
      if (observation.state === "absent") {
        if (!once("create")) return { requeueAfterMs: defaultPollMs };
        await this.#write(visit, "create", () => author.create(this.#context(visit, api)));
        continue;
      }
      const step = "step" in observation ? observation.step : undefined;
      if (step === undefined) return this.#settle(visit, observation);
      if (!once(`step ${step}`)) return { requeueAfterMs: defaultPollMs };
      await this.#step(visit, api, step);
    }
  }

  /** Puts what was seen among the changes. */
  #note(changes: ObjectChanges<O>, observation: ClusterObservation): void {
    const provisioned = isClusterProvisioned(changes.object);
    const tell = this.#teller(changes);
    if (observation.state === "absent") {
      const creating = { reason: ShellReason.creating, message: "the infrastructure is being created" };
      changes.condition(...waitingConditions(creating.reason, tell(creating), provisioned));
      return;
    }
    changes.mergeField(clusterFactsPatch(changes.object, observation, this.#options.contract));
    changes.condition(...observedClusterConditions(observation, provisioned, tell));
    if (observation.state !== "pending") this.#stages.forget(keyOf(changes.object));
    if (observation.state === "present") changes.mergeField(clusterProvisionedPatch());
  }

  #settle({ changes, context }: Visit<O>, observation: Exclude<ClusterObservation, { state: "absent" }>): Result {
    if (observation.state === "failed") return { requeueAfterMs: driftPollMs };
    if (observation.state === "pending") return { requeueAfterMs: observation.pollMs ?? defaultPollMs };
    if (!isClusterProvisioned(changes.object)) {
      context.events.event(changes.object, {
        type: "Normal",
        reason: "Provisioned",
        message: "the cluster's infrastructure is provisioned",
      });
    }
    return { requeueAfterMs: driftPollMs };
  }

  async #remove(visit: Visit<O>): Promise<Result> {
    const { author } = this.#options;
    const { changes, context } = visit;
    const left = this.#machines(visit);
    if (left.length > 0) {
      const names = left.slice(0, 3).map((machine) => machine.metadata.name);
      const message = `waiting for ${left.length} ${author.machineKind.kind} to be deleted first: ${names.join(", ")}${left.length > 3 ? ", ..." : ""}`;
      changes.condition(...waitingConditions(ShellReason.waitingForMachines, message, true));
      return {};
    }
    const leaving = { reason: ShellReason.deleting, message: "the infrastructure is being deleted" };
    changes.condition(...waitingConditions(leaving.reason, this.#teller(changes)(leaving), true));
    const api = await this.#connect(visit);
    for (const attempt of ["remove", "look"] as const) {
      const observation = await this.#observe(visit, api);
      if (observation.state === "absent") {
        changes.release({ metadata: { finalizers: releasedFinalizers(changes.object, author) } });
        context.events.event(changes.object, {
          type: "Normal",
          reason: "Deleted",
          message: "the cluster's infrastructure is gone",
        });
        return {};
      }
      if (attempt === "remove") await this.#write(visit, "remove", () => author.remove(this.#context(visit, api)));
    }
    return { requeueAfterMs: removalPollMs };
  }

  /** Words of conditions, with the stage before them where the author named stages. */
  #teller({ object }: ObjectChanges<O>): (telling: Telling) => string {
    const { author, environment } = this.#options;
    return (telling) =>
      this.#stages.message(object, author.stages?.({ object }) ?? [], telling, environment.clock.now());
  }

  async #connect(visit: Visit<O>): Promise<Api> {
    const { author } = this.#options;
    const { object } = visit.changes;
    const named = author.credentialsRef?.({ object });
    const ref = named === undefined ? undefined : wholeRef(named, object);
    if (ref !== undefined) visit.credentialsSecret = `${ref.namespace}/${ref.name}`;
    const credentials = await readCredentials(ref, { ...visit, secrets: this.secrets });
    visit.fingerprint = credentials?.fingerprint ?? "";
    return this.#run("connect", async () => author.connect({ object, credentials }));
  }

  #observe(visit: Visit<O>, api: Api): Promise<ClusterObservation> {
    return this.#run("observe", () => this.#options.author.observe(this.#context(visit, api)));
  }

  async #step(visit: Visit<O>, api: Api, name: string): Promise<void> {
    const step = this.#options.author.steps?.[name];
    if (step === undefined) {
      throw new CapstanError({
        code: "kit.step_unknown",
        reason: "StepUnknown",
        message: `${describeObject(visit.changes.object)}: observe asked for the step "${name}", which the provider does not have`,
        retry: { kind: "never" },
      });
    }
    await this.#write(visit, name, () => step(this.#context(visit, api)));
  }

  /** When the cloud named a time to wait for, no event makes us come back before it is over; what it refused waits for a change. */
  #write(visit: Visit<O>, verb: string, work: () => Promise<void>): Promise<void> {
    const { changes, cluster, fingerprint = "", request } = visit;
    const members = this.#machines(visit).map(({ metadata }) => metadata.uid);
    const inputs = `${inputsOf(changes.object, cluster)} ${fingerprint} ${members.join()}`;
    return this.#holds.around(nameOf(request), { verb, inputs }, () => this.#run(verb, work));
  }

  #run<T>(verb: string, work: () => Promise<T>): Promise<T> {
    return this.#options.verbs.run(verb, work);
  }

  #context({ changes, context, request, cluster }: Visit<O>, api: Api): ClusterVerbContext<O, Api> {
    const { object } = changes;
    const controlPlaneMachines = this.#machines({ changes, context })
      .filter((machine) => isControlPlaneMember(context.cache, machine) && !isBeingDeleted(machine))
      .toSorted(byAge);
    return {
      ...verbContext({ object, api, owner: cluster, cluster, context, request, secrets: this.secrets }),
      controlPlaneMachines,
    };
  }

  /** This provider's machines of the cluster, the ones that are being deleted too. */
  #machines({ changes, context }: Pick<Visit<O>, "changes" | "context">): readonly KubeObject[] {
    const owner = ownerOfKind(changes.object, ClusterResource);
    if (owner === undefined) return [];
    const value = `${changes.object.metadata.namespace ?? ""}/${owner.name}`;
    return context.cache.byIndex(this.#options.author.machineKind, clusterIndex, value);
  }
}
