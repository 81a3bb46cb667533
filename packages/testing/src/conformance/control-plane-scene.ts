import assert from "node:assert/strict";
import { isCapstanError, Label } from "@capstan/contract";
import {
  ClusterResource,
  cluster as clusterFields,
  conditionOf,
  controllerOf,
  controlPlane as wire,
  isControlPlane,
  machine as machineFields,
  ownerReference,
  referencePatch,
  MachineResource,
} from "@capstan/contract/wire";
import type { ContractVersion, MergePatch } from "@capstan/contract/wire";
import { contractLabel } from "@capstan/contract/wire";
import { byText, isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { apiVersionOf, isKind } from "@capstan/schema";
import { MemoryMachine, MemoryMachineTemplate } from "../infra-memory/memory-kinds.ts";
import type { ControlPlaneSubject, WantedControlPlane } from "./control-plane-subject.ts";
import { CorePart } from "./core-part.ts";
import type { ConformanceEnvironment } from "./environment.ts";
import { MachinesPart } from "./machines-part.ts";
import { SceneManagers } from "./managers.ts";

const infrastructureRef = {
  apiGroup: MemoryMachineTemplate.group,
  kind: MemoryMachineTemplate.kind,
  name: "template",
} as const;

const endpoint = { host: "203.0.113.7", port: 6443 } as const;

export const namesOf = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name ?? "").toSorted(byText);

/** The contract that a kind says it speaks; today's where it says nothing. */
const newerConditions: ReadonlySet<string> = new Set(["Deleting", "Paused"]);

const contractOf = (kind: Resource): ContractVersion =>
  isKind(kind) &&
  kind.labels?.[contractLabel("v1beta2")] === undefined &&
  kind.labels?.[contractLabel("v1beta1")] !== undefined
    ? "v1beta1"
    : "v1beta2";

/** Conditions of a Machine that a health check wants replaced. */
const unhealthy = ["HealthCheckSucceeded", "OwnerRemediated"].map(
  (type) => ({ type, status: "False", reason: "Because" }) as const,
);

/** A Cluster with one control plane object named `cp`, in a namespace of its own; the suite plays core and the machines. */
export class ControlPlaneScene {
  readonly core: CorePart;
  readonly machines: MachinesPart;
  readonly environment: ConformanceEnvironment;
  readonly subject: ControlPlaneSubject;
  readonly managers: SceneManagers;
  readonly fields: ReturnType<typeof wire.for>;
  #wanted: WantedControlPlane = { replicas: 1, version: "v1.34.1", infrastructureRef };
  /** Most and fewest Machines at any time, since the scene was asked to count. */
  #seen: { most: number; fewest: number } | undefined;

  constructor(environment: ConformanceEnvironment, subject: ControlPlaneSubject, namespace: string) {
    const { client, clock } = environment;
    this.environment = environment;
    this.subject = subject;
    this.core = new CorePart(client, namespace);
    this.machines = new MachinesPart(client, namespace, {
      kinds: { configKind: subject.configKind, machineKind: MemoryMachine },
      now: () => clock.now(),
      ...(subject.joined === undefined ? {} : { joined: subject.joined }),
      ...(subject.gone === undefined ? {} : { gone: subject.gone }),
    });
    this.managers = new SceneManagers(environment, subject, namespace);
    this.fields = wire.for(contractOf(subject.controlPlaneKind));
  }

  /** Creates the Cluster, the template and the control plane object. */
  async create(
    wanted: Partial<WantedControlPlane> = {},
    options: { readonly provisioned?: boolean; readonly failureDomains?: readonly string[] } = {},
  ): Promise<KubeObject> {
    const { core, subject } = this;
    const { client } = this.environment;
    this.#wanted = { ...this.#wanted, ...wanted };
    await client.create(MemoryMachineTemplate, {
      apiVersion: apiVersionOf(MemoryMachineTemplate),
      kind: MemoryMachineTemplate.kind,
      metadata: core.key(infrastructureRef.name),
      spec: { template: { spec: { size: "small" } } },
    });
    const { group, kind } = subject.controlPlaneKind;
    const reference = referencePatch(clusterFields.controlPlaneRefPath, { apiGroup: group, kind, name: "cp" });
    const cluster = await core.createCluster({
      ...(reference["spec"] as MergePatch),
      controlPlaneEndpoint: endpoint,
    });
    const domains = (options.failureDomains ?? []).map((name) => ({ name, controlPlane: true }));
    if (domains.length > 0) {
      await core.setStatus(ClusterResource, core.clusterName, "status.failureDomains", domains);
    }
    if (options.provisioned !== false) await core.infrastructureProvisioned();
    return client.create(subject.controlPlaneKind, {
      apiVersion: apiVersionOf(subject.controlPlaneKind),
      kind,
      metadata: {
        ...core.key("cp"),
        labels: { [Label.clusterName]: core.clusterName },
        ownerReferences: [ownerReference(ClusterResource, cluster)],
      },
      spec: this.#spec(),
    });
  }

  /** Changes what is wanted. */
  async want(change: Partial<WantedControlPlane>): Promise<void> {
    this.#wanted = { ...this.#wanted, ...change };
    await this.core.patch(this.subject.controlPlaneKind, "cp", { spec: this.#spec() });
  }

  object(): Promise<KubeObject> {
    return this.environment.client.get(this.subject.controlPlaneKind, this.core.key("cp"));
  }

  find(): Promise<KubeObject | undefined> {
    return this.environment.client.find(this.subject.controlPlaneKind, this.core.key("cp"));
  }

  /** Machines of the control plane, oldest first. */
  async members(): Promise<readonly KubeObject[]> {
    const all = (await this.machines.list()).filter(isControlPlane);
    return all.toSorted(
      (a, b) => Date.parse(a.metadata.creationTimestamp ?? "") - Date.parse(b.metadata.creationTimestamp ?? ""),
    );
  }

  /** Roles of all bootstrap configs that were made and still are; `undefined` where configs have none. */
  async roles(): Promise<readonly string[] | undefined> {
    const { configKind, roleOf } = this.subject;
    if (roleOf === undefined) return undefined;
    const { items } = await this.environment.client.list(configKind, { namespace: this.core.namespace });
    return items.map(roleOf).toSorted(byText);
  }

  /** A version of Kubernetes as the control plane says it. */
  version(kubernetes: string): string {
    return this.subject.versionOf?.(kubernetes) ?? kubernetes;
  }

  #spec(): MergePatch {
    return this.subject.spec({ ...this.#wanted, version: this.version(this.#wanted.version) });
  }

  /** Says on a Machine that it has to be replaced, as a health check does; nothing when it is gone. */
  async findUnhealthy(name: string): Promise<void> {
    const { client } = this.environment;
    await this.environment.until(async () => {
      try {
        const machine = await client.find(MachineResource, this.core.key(name));
        if (machine !== undefined) await this.machines.say(machine, unhealthy);
        return true;
      } catch (error) {
        if (isCapstanError(error, "kube.conflict")) return false;
        throw error;
      }
    });
  }

  /** Failure domains that the Machines were made for. */
  async failureDomains(): Promise<readonly string[]> {
    return (await this.members()).map((machine) => machineFields.failureDomain.get(machine) ?? "").toSorted(byText);
  }

  count(): void {
    this.#seen = { most: 0, fewest: Number.POSITIVE_INFINITY };
  }

  get counted(): { readonly most: number; readonly fewest: number } {
    assert.ok(this.#seen, "the scene was asked to count");
    return this.#seen;
  }

  /** Lets time pass, while machines come and go, until the condition holds. */
  async until(condition: () => Promise<boolean>, maxMs?: number): Promise<void> {
    await this.environment.until(async () => {
      await this.machines.serve();
      const { length } = await this.members();
      if (this.#seen !== undefined) {
        this.#seen.most = Math.max(this.#seen.most, length);
        this.#seen.fewest = Math.min(this.#seen.fewest, length);
      }
      return condition();
    }, maxMs);
  }

  /** Lets this much time pass, while machines come and go. */
  async pass(ms: number): Promise<void> {
    const end = this.environment.clock.now() + ms;
    await this.until(
      async () => {
        await this.environment.pass(Math.min(2000, Math.max(1, end - this.environment.clock.now())));
        return this.environment.clock.now() >= end;
      },
      ms * 10 + 60_000,
    );
  }

  /** Returns whether as many Machines as are wanted have their Node and are of the version, and the object says so. */
  async isSettled(): Promise<boolean> {
    const { replicas, version } = this.#wanted;
    const members = await this.members();
    const areRight =
      members.length === replicas &&
      members.every(
        (machine) =>
          !isBeingDeleted(machine) &&
          machineFields.nodeName.get(machine) !== undefined &&
          machineFields.version.get(machine) === this.version(version),
      );
    if (!areRight) return false;
    const object = await this.object();
    const { readyReplicas, statusReplicas, upToDateReplicas } = this.fields;
    return [statusReplicas, upToDateReplicas, readyReplicas].every((counter) => counter.get(object) === replicas);
  }

  async settled(): Promise<KubeObject> {
    await this.until(() => this.isSettled(), 1_800_000);
    return this.object();
  }

  /** `status/reason` of a condition. */
  async saidOf(type: string): Promise<string | undefined> {
    const object = await this.object();
    const condition = conditionOf(object, type, contractOf(this.subject.controlPlaneKind));
    return condition === undefined ? undefined : `${condition.status}/${condition.reason}`;
  }

  /**
   * Returns whether a condition has a status and a reason, as `status/reason`. `v1beta1` does not say that an object is paused or being
   * deleted, and needs no reasons.
   */
  async says(type: string, said: string): Promise<boolean> {
    if (contractOf(this.subject.controlPlaneKind) === "v1beta1" && newerConditions.has(type)) return true;
    const actual = await this.saidOf(type);
    return actual === said || actual === said.replace(/\/.*/, "/NoReasonReported");
  }

  /** Nothing of the Machines is left over, and everything belongs to whom it should. */
  async assertWhole(object: KubeObject): Promise<void> {
    const members = await this.members();
    for (const machine of members) {
      assert.equal(controllerOf(machine)?.uid, object.metadata.uid, `${machine.metadata.name} is the control plane's`);
    }
    const names = namesOf(members);
    const { namespace } = this.core;
    for (const kind of [this.subject.configKind, MemoryMachine]) {
      const { items } = await this.environment.client.list(kind, { namespace });
      assert.deepEqual(namesOf(items), names, `one ${kind.kind} per Machine`);
      for (const item of items) assert.equal(controllerOf(item)?.kind, MachineResource.kind, "a Machine controls it");
    }
  }
}
