import { Label } from "@capstan/contract";
import {
  ClusterResource,
  controllerOf,
  infraMachine,
  MachinePoolResource,
  MachineResource,
  ownerReference,
  SecretResource,
} from "@capstan/contract/wire";
import { isBeingDeleted, keyOf, toBase64 } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import { CorePart } from "./core-part.ts";
import type { ConformanceEnvironment } from "./environment.ts";
import type { InfraMachinePoolCloud, InfraMachinePoolSubject } from "./infra-machine-pool-subject.ts";
import { SceneManagers } from "./managers.ts";

const hold = "test.example/machine";

/** A MachinePool named `p` in a namespace of its own, whose core is played by the scene. */
export class InfraMachinePoolScene {
  readonly core: CorePart;
  readonly environment: ConformanceEnvironment;
  readonly subject: InfraMachinePoolSubject;
  readonly cloud: InfraMachinePoolCloud;
  readonly managers: SceneManagers;
  #uid = "";

  constructor(
    environment: ConformanceEnvironment,
    parts: { readonly subject: InfraMachinePoolSubject; readonly cloud: InfraMachinePoolCloud },
    namespace: string,
  ) {
    this.environment = environment;
    this.subject = parts.subject;
    this.cloud = parts.cloud;
    this.core = new CorePart(environment.client, namespace);
    this.managers = new SceneManagers(environment, parts.cloud, namespace);
  }

  get uid(): string {
    return this.#uid;
  }

  /** Answers with the infrastructure machine pool. */
  async create(replicas: number): Promise<KubeObject> {
    const { core, subject } = this;
    const infrastructure = { apiGroup: subject.clusterKind.group, kind: subject.clusterKind.kind, name: "c" };
    const cluster = await core.createCluster({ infrastructureRef: infrastructure });
    const clusterSpec = (await this.cloud.clusterSpec?.(core.namespace)) ?? subject.clusterSpec;
    await core.createOwned(subject.clusterKind, "c", clusterSpec, {
      kind: ClusterResource,
      object: cluster,
      controller: false,
    });
    await core.infrastructureProvisioned();
    await core.createBootstrapSecret("data", "#cloud-config\nruncmd: [one]\n");
    const { group: apiGroup, kind } = subject.poolKind;
    const spec = { bootstrap: { dataSecretName: "data" }, infrastructureRef: { apiGroup, kind, name: "p" } };
    const pool = await core.createPool("p", spec, replicas);
    const owner = { kind: MachinePoolResource, object: pool, controller: true };
    const object = await core.createOwned(subject.poolKind, "p", subject.poolSpec, owner);
    this.#uid = object.metadata.uid ?? "";
    return object;
  }

  pool(): Promise<KubeObject | undefined> {
    return this.environment.client.find(this.subject.poolKind, this.core.key("p"));
  }

  async machines(): Promise<readonly KubeObject[]> {
    const { namespace } = this.core;
    return (await this.environment.client.list(MachineResource, { namespace })).items;
  }

  async infraMachines(): Promise<readonly KubeObject[]> {
    const { namespace } = this.core;
    return (await this.environment.client.list(this.subject.machineKind, { namespace })).items;
  }

  scale(replicas: number): Promise<KubeObject> {
    return this.core.patch(MachinePoolResource, "p", { spec: { replicas } });
  }

  async changeData(value: string): Promise<void> {
    await this.core.patch(SecretResource, "data", { data: { value: toBase64(value) } });
  }

  /** Lets time pass, with core's part played in between, until the condition holds. */
  until(condition: () => boolean | Promise<boolean>): Promise<void> {
    return this.environment.until(async () => {
      await this.playCore();
      return condition();
    });
  }

  /** Does what core does meanwhile: makes a Machine for each infrastructure machine, and deletes it first. */
  async playCore(): Promise<void> {
    const pool = await this.environment.client.find(MachinePoolResource, this.core.key("p"));
    if (pool === undefined) return;
    const machines = new Map((await this.machines()).map((machine) => [machine.metadata.name ?? "", machine]));
    const infra = new Map((await this.infraMachines()).map((each) => [each.metadata.name ?? "", each]));
    for (const [name, each] of infra) await this.#accompany(pool, each, machines.get(name));
    for (const [name, machine] of machines) await this.#letGo(machine, infra.get(name));
  }

  async #accompany(pool: KubeObject, infra: KubeObject, machine: KubeObject | undefined): Promise<void> {
    const { client } = this.environment;
    const name = infra.metadata.name ?? "";
    if (machine === undefined) {
      if (!isBeingDeleted(infra)) await this.#createMachine(pool, name);
      return;
    }
    if (controllerOf(infra)?.uid !== machine.metadata.uid && !isBeingDeleted(infra)) {
      const owner = ownerReference(MachineResource, machine, { controller: true, blockOwnerDeletion: true });
      const others = (infra.metadata.ownerReferences ?? []).filter(({ controller }) => controller !== true);
      const body = { metadata: { ownerReferences: [...others, owner] } };
      await client.patch(this.subject.machineKind, keyOf(infra), { type: "merge", body });
    }
    const isProvisioned = infraMachine.for("v1beta2").provisioned.get(infra) === true;
    if (isProvisioned && !isBeingDeleted(machine)) {
      const conditions = [
        {
          type: "Available",
          status: "True",
          reason: "Available",
          message: "",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ];
      await this.core.setStatus(MachineResource, name, "status.conditions", conditions);
    }
  }

  #createMachine(pool: KubeObject, name: string): Promise<KubeObject> {
    const { group: apiGroup, kind } = this.subject.machineKind;
    return this.environment.client.create(MachineResource, {
      apiVersion: apiVersionOf(MachineResource),
      kind: MachineResource.kind,
      metadata: {
        ...this.core.key(name),
        labels: { [Label.clusterName]: this.core.clusterName, [Label.poolName]: "p" },
        finalizers: [hold],
        ownerReferences: [ownerReference(MachinePoolResource, pool, { controller: true })],
      },
      spec: { clusterName: this.core.clusterName, bootstrap: {}, infrastructureRef: { apiGroup, kind, name } },
    });
  }

  async #letGo(machine: KubeObject, infra: KubeObject | undefined): Promise<void> {
    const { client } = this.environment;
    const isLeaving = isBeingDeleted(machine);
    if (infra === undefined) {
      if (!isLeaving) await client.delete(MachineResource, keyOf(machine));
      await client.patch(MachineResource, keyOf(machine), { type: "merge", body: { metadata: { finalizers: null } } });
    } else if (isLeaving && !isBeingDeleted(infra)) await client.delete(this.subject.machineKind, keyOf(infra));
    else if (!isLeaving && isBeingDeleted(infra)) await client.delete(MachineResource, keyOf(machine));
  }
}
