import assert from "node:assert/strict";
import type { Condition } from "@capstan/contract/wire";
import { ClusterResource, MachineResource, SecretResource, infraMachine } from "@capstan/contract/wire";
import { type KubeObject, type Resource, resource } from "@capstan/schema";
import { callFault } from "./call-fault.ts";
import { offer } from "./claimed-objects.ts";
import { conditionOfKind } from "./condition-of-kind.ts";
import { CorePart } from "./core-part.ts";
import type { ConformanceEnvironment } from "./environment.ts";
import type { CloudFault, InfraMachineCloud, InfraMachineSubject } from "./infra-machine-subject.ts";
import { SceneManagers } from "./managers.ts";

const Event = resource({ group: "", version: "v1", kind: "Event", plural: "events" });
const fields = infraMachine.for("v1beta2");

export const uidOf = (object: KubeObject): string => object.metadata.uid ?? "";

const isReady = (kind: Resource, object: KubeObject | undefined): boolean =>
  object !== undefined &&
  conditionOfKind(kind, object, "Ready")?.status === "True" &&
  fields.provisioned.get(object) === true &&
  fields.providerID.get(object) !== undefined;

/** One infrastructure machine named `m` in a namespace of its own, with everything around it. */
export class MachineScene {
  readonly core: CorePart;
  readonly environment: ConformanceEnvironment;
  readonly cloud: InfraMachineCloud;
  readonly subject: InfraMachineSubject;
  readonly managers: SceneManagers;
  /** Times at which something was claimed, or a claim was tried. */
  readonly #claims: number[] = [];

  constructor(
    environment: ConformanceEnvironment,
    cloud: InfraMachineCloud,
    subject: InfraMachineSubject,
    namespace: string,
  ) {
    this.environment = environment;
    this.cloud = cloud;
    this.subject = subject;
    this.core = new CorePart(environment.client, namespace);
    this.managers = new SceneManagers(environment, cloud, namespace);
    this.managers.writes.onCall = (call, phase) => {
      if (phase === "before" && call === this.#claiming) this.#claims.push(environment.clock.now());
    };
  }

  /** Cluster, infrastructure cluster and, unless told otherwise, the Secrets. */
  async cluster(
    options: {
      readonly provisioned?: boolean;
      readonly withoutSecrets?: boolean;
      /** Another infrastructure is the Cluster's own. */
      readonly additional?: boolean;
    } = {},
  ): Promise<void> {
    const { clusterKind, clusterSpec } = this.subject;
    const { core } = this;
    await offer(this.environment.client, core, this.subject.claims);
    if (options.withoutSecrets !== true) await this.secrets();
    const own = { apiGroup: clusterKind.group, kind: clusterKind.kind, name: core.clusterName };
    const infrastructureRef = options.additional === true ? { ...own, kind: `Other${clusterKind.kind}` } : own;
    const cluster = await core.createCluster({ infrastructureRef });
    const owner =
      options.additional === true ? undefined : { kind: ClusterResource, object: cluster, controller: true };
    const spec = (await this.cloud.clusterSpec?.(core.namespace)) ?? clusterSpec;
    await core.createOwned(clusterKind, core.clusterName, spec, owner);
    if (options.provisioned !== false) await core.infrastructureProvisioned();
  }

  /** The call by which the provider makes a server, or begins to: a point of the gate, without `before` or `after`. */
  get creating(): string {
    return this.#claiming ?? "create at the cloud";
  }

  /** Makes calls to the cloud go wrong; where machines are claimed, the next writes to what they claim. */
  disturb(fault: CloudFault): void {
    if (this.#claiming !== undefined) {
      this.managers.writes.disturb(callFault(this.#claiming, fault));
      return;
    }
    assert.ok("disturb" in this.cloud, "a cloud where machines are made can be disturbed");
    this.cloud.disturb?.(fault);
  }

  /** Times at which the making of a server was asked for. */
  creations(): readonly number[] {
    if (this.#claiming !== undefined) return this.#claims;
    assert.ok("creations" in this.cloud, "a cloud where machines are made knows when it was asked to");
    return this.cloud.creations?.() ?? [];
  }

  /** The writes to what machines claim; `undefined` where they are made. */
  get #claiming(): string | undefined {
    const { claims } = this.subject;
    return claims === undefined ? undefined : `patch ${claims.kind.kind}`;
  }

  /** Takes the values out of the first Secret. */
  emptySecret(): Promise<unknown> {
    return this.#patchSecret((data) => Object.fromEntries(Object.keys(data).map((key) => [key, ""])));
  }

  /** Undoes `emptySecret`. */
  fillSecret(): Promise<unknown> {
    return this.#patchSecret((data) => data);
  }

  #patchSecret(change: (data: Readonly<Record<string, string>>) => Readonly<Record<string, string>>): Promise<unknown> {
    const [[name, data] = ["", {}]] = Object.entries(this.subject.secrets ?? {});
    return this.core.patch(SecretResource, name, { data: change(data) });
  }

  async secrets(): Promise<void> {
    for (const [name, data] of Object.entries(this.subject.secrets ?? {})) await this.core.createSecret(name, data);
  }

  /** The Machine and its infrastructure machine. */
  async machine(options: { readonly data?: string | null; readonly owned?: boolean } = {}): Promise<KubeObject> {
    const { machineKind, machineSpec } = this.subject;
    const { core } = this;
    const data = options.data === undefined ? "#cloud-config\n" : options.data;
    const infrastructureRef = { apiGroup: machineKind.group, kind: machineKind.kind, name: "m" };
    if (data !== null) await core.createBootstrapSecret("m", data);
    const bootstrap = data === null ? {} : { dataSecretName: "m" };
    const machine = await core.createMachine("m", { infrastructureRef, bootstrap });
    const owner = { kind: MachineResource, object: machine, controller: true };
    const spec = (await this.cloud.machineSpec?.(core.namespace)) ?? machineSpec;
    const made = await core.createOwned(machineKind, "m", spec, options.owned === false ? undefined : owner);
    if (!this.managers.haveStarted) await this.#countsByUid(made);
    return made;
  }

  /** Nothing works on it yet, so there is nothing of it. */
  async #countsByUid({ metadata }: KubeObject): Promise<void> {
    const count = await this.cloud.serversOf(metadata.uid ?? "");
    assert.equal(
      count,
      0,
      `serversOf(uid) counts ${count} for a machine that nothing has been made for: count those of this uid only, since all machines of a case share its cloud`,
    );
  }

  get(): Promise<KubeObject> {
    return this.environment.client.get(this.subject.machineKind, this.core.key("m"));
  }

  eventually(test: (object: KubeObject | undefined) => boolean, maxMs?: number): Promise<KubeObject | undefined> {
    return this.environment.eventually(this.subject.machineKind, this.core.key("m"), test, maxMs);
  }

  /** The Events about the machine. */
  async events(): Promise<readonly KubeObject[]> {
    const { namespace } = this.core;
    const fieldSelector = `involvedObject.kind=${this.subject.machineKind.kind},involvedObject.name=m`;
    return (await this.environment.client.list(Event, { namespace, fieldSelector })).items;
  }

  async isReady(): Promise<boolean> {
    return isReady(
      this.subject.machineKind,
      await this.environment.client.find(this.subject.machineKind, this.core.key("m")),
    );
  }

  async ready(maxMs?: number): Promise<KubeObject> {
    const object = await this.eventually((found) => isReady(this.subject.machineKind, found), maxMs);
    assert.ok(object);
    return object;
  }

  /** Waits for a condition `Ready` of status False, of a reason or with words in its message. */
  notReady(says: { readonly reason?: string; readonly words?: string }): Promise<KubeObject | undefined> {
    return this.eventually((object) => {
      const ready = object === undefined ? undefined : this.condition(object, "Ready");
      if (ready?.status !== "False") return false;
      return (says.reason === undefined || ready.reason === says.reason) && ready.message.includes(says.words ?? "");
    });
  }

  /** A condition of the infrastructure machine. */
  condition(object: KubeObject | undefined, type: string): Condition | undefined {
    return object === undefined ? undefined : conditionOfKind(this.subject.machineKind, object, type);
  }

  remove(): Promise<void> {
    return this.environment.client.delete(this.subject.machineKind, this.core.key("m"));
  }

  async gone(): Promise<void> {
    await this.eventually((object) => object === undefined);
  }

  /** Returns the number of the machine's parts at the cloud. */
  async partsOf(uid: string): Promise<number> {
    const { cloud } = this;
    return cloud.partsOf === undefined ? cloud.serversOf(uid) : cloud.partsOf(uid);
  }

  /** Nothing of the machine is left at the cloud. */
  async assertNothingLeft(uid: string, when = ""): Promise<void> {
    assert.equal(await this.partsOf(uid), 0, `what is left of the machine ${when}`);
  }

  async assertServers(uid: string, count: number, when = ""): Promise<void> {
    assert.equal(await this.cloud.serversOf(uid), count, `servers of the machine ${when}`);
  }
}
