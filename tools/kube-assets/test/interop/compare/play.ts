import { setTimeout as pause } from "node:timers/promises";
import { clusterSecretType, isCapstanError, Label, Taint } from "@capstan/contract";
import { clusterSecretName, controllerOf } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import type { FreeKind } from "@capstan/testing";
import type { AnyObject } from "../world.ts";
import { playedKinds } from "./played-kinds.ts";
import { coreKinds, Node, Pod, Secret, type Stage } from "./stage.ts";

/** How long nothing may change until what happens is over: longer than managers wait between two looks. */
const firstQuietMs = 6500;
const quietMs = 3000;
const longestMs = 75_000;

type Merge = Readonly<Record<string, unknown>>;

/** One scenario on a stage, in a namespace of its own: everything that users and providers do. */
export class Play {
  readonly stage: Stage;
  readonly namespace: string;
  /** The names that the scenario gives to what managers name, by the names they have. */
  readonly aliases = new Map<string, string>();
  /** True if Machines are served as they come, and Nodes are there for them. */
  serving = false;
  #looks = 0;

  constructor(stage: Stage, namespace: string) {
    this.stage = stage;
    this.namespace = namespace;
  }

  readonly key = (name: string) => ({ namespace: this.namespace, name: this.real(name) });

  /** The name that something has, by the scenario's. */
  real(alias: string): string {
    for (const [name, known] of this.aliases) if (known === alias) return name;
    return alias;
  }

  objects(kind: Resource): readonly AnyObject[] {
    return this.stage.cache.list(kind, { namespace: this.namespace });
  }

  /** The scenario's names of all Machines that are not being deleted. */
  machines(): readonly string[] {
    this.learnNames();
    return this.objects(coreKinds.machine)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => this.aliases.get(metadata.name) ?? metadata.name)
      .toSorted((a, b) => a.localeCompare(b));
  }

  /** Gives names to what managers have named, in the order in which they made it. */
  learnNames(): void {
    for (const kind of [coreKinds.set, coreKinds.machine]) {
      const made = this.objects(kind).filter((object) => controllerOf(object) !== undefined);
      const unnamed = made.filter(({ metadata }) => !this.aliases.has(metadata.name));
      const order = ({ metadata }: AnyObject): string => `${metadata.creationTimestamp} ${metadata.name}`;
      for (const object of unnamed.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))) {
        const owner = controllerOf(object)?.name ?? "";
        if (!object.metadata.name.startsWith(`${owner}-`)) continue;
        const base = this.aliases.get(owner) ?? owner;
        const taken = [...this.aliases.values()].filter((alias) => new RegExp(`^${base}~\\d+$`).test(alias)).length;
        this.aliases.set(object.metadata.name, `${base}~${taken + 1}`);
        const hash = object.metadata.labels?.["machine-template-hash"];
        if (kind === coreKinds.set && hash !== undefined) this.aliases.set(hash, `hash-of-${base}~${taken + 1}`);
      }
    }
  }

  async create(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const kind = this.stage.kinds.watched.find((each) => each.kind === object.kind)!;
      const metadata = { ...object.metadata, namespace: this.namespace };
      await this.stage.client.create(kind, { ...object, metadata });
    }
  }

  /** Changes the metadata or spec of an object; with null, removes. */
  async change(kind: Resource, name: string, body: Merge): Promise<void> {
    await this.stage.client.patch(kind, this.key(name), { type: "merge", body });
  }

  async report({ resource }: FreeKind, name: string, status: Merge): Promise<void> {
    const body = { status };
    await this.stage.client.patch(resource, this.key(name), { type: "merge", body }, { subresource: "status" });
  }

  async remove(kind: Resource, name: string): Promise<void> {
    await this.stage.client.delete(kind, this.key(name));
  }

  hold({ resource }: FreeKind, name: string): Promise<void> {
    return this.change(resource, name, { metadata: { finalizers: ["played.example/hold"] } });
  }

  release({ resource }: FreeKind, name: string): Promise<void> {
    return this.change(resource, name, { metadata: { finalizers: null } });
  }

  async giveKubeconfig(kubeconfig = this.stage.kubeconfig, name = "prod"): Promise<void> {
    const labels = { [Label.clusterName]: name };
    await this.create({
      apiVersion: "v1",
      kind: Secret.kind,
      metadata: { name: clusterSecretName(name, "kubeconfig"), labels },
      type: clusterSecretType,
      data: { value: Buffer.from(kubeconfig).toString("base64") },
    });
  }

  async bootstrap(name: string, more: Merge = {}): Promise<void> {
    const dataSecretName = `${this.real(name)}-data`;
    await this.report(playedKinds.config, name, {
      initialization: { dataSecretCreated: true },
      dataSecretName,
      ...more,
    });
  }

  async provision(name: string, more: Merge = {}): Promise<void> {
    await this.change(playedKinds.machine.resource, name, { spec: { providerID: this.providerID(name) } });
    await this.report(playedKinds.machine, name, { initialization: { provisioned: true }, ...more });
  }

  providerID(name: string): string {
    return `played://${this.namespace}/${this.real(name)}`;
  }

  nodeName(name: string): string {
    return `${this.namespace}-${this.real(name)}`;
  }

  async join(name: string, conditions: Merge = {}, metadata: Merge = {}): Promise<void> {
    await this.stage.workload.create(Node, {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: this.nodeName(name), ...metadata },
      spec: { providerID: this.providerID(name), taints: [{ ...Taint.uninitialized }] },
    });
    await this.nodeSays(name, conditions);
  }

  /** What a Node's conditions are; those that are not named are as they should be. */
  async nodeSays(name: string, conditions: Merge = {}): Promise<void> {
    const good = { Ready: "True", MemoryPressure: "False", DiskPressure: "False", PIDPressure: "False" };
    const nodeInfo = { kubeletVersion: "v1.33.4", osImage: "Played OS", architecture: "amd64" };
    const status = {
      conditions: Object.entries({ ...good, ...conditions })
        .filter(([, value]) => value !== null)
        .map(([type, value]) => ({
          type,
          status: value,
          reason: "Played",
          message: `${type} is ${String(value)}`,
          lastTransitionTime: "2026-01-01T00:00:00Z",
        })),
      nodeInfo,
    };
    const key = { name: this.nodeName(name) };
    await this.stage.workload.patch(Node, key, { type: "merge", body: { status } }, { subresource: "status" });
  }

  /** A Pod on a Node that stays for as long as it is held. */
  async pod(name: string, machine: string, metadata: Merge = {}): Promise<void> {
    await this.stage.workload.create(Pod, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: `${this.namespace}-${name}`,
        namespace: "default",
        finalizers: ["played.example/hold"],
        ...metadata,
      },
      spec: { nodeName: this.nodeName(machine), containers: [{ name: "a", image: "a" }] },
    });
  }

  async releasePod(name: string): Promise<void> {
    const key = { namespace: "default", name: `${this.namespace}-${name}` };
    await this.stage.workload.patch(Pod, key, { type: "merge", body: { metadata: { finalizers: null } } });
  }

  async removeNode(name: string): Promise<void> {
    await this.stage.workload.delete(Node, { name: this.nodeName(name) });
  }

  /** Everything for a Machine until its Node is there. */
  async serve(name: string): Promise<void> {
    await this.bootstrap(name);
    await this.provision(name);
    await this.join(name);
  }

  async serveAll(): Promise<void> {
    for (const name of this.machines()) {
      const machine = this.objects(coreKinds.machine).find(({ metadata }) => metadata.name === this.real(name));
      const isMade = playedKinds.machine.resource;
      if (machine?.spec.providerID !== undefined || this.stage.cache.get(isMade, this.key(name)) === undefined) {
        continue;
      }
      try {
        await this.serve(name);
      } catch (error) {
        // What was served a moment ago, or went at this one.
        const passing = ["kube.already_exists", "kube.not_found", "kube.conflict"];
        if (!passing.some((code) => isCapstanError(error, code))) throw error;
      }
    }
  }

  /** Everything's versions: what changes when anything does. */
  #versions(): string {
    const all = this.stage.kinds.watched.flatMap((kind) => this.objects(kind));
    const nodes = this.stage.nodes.list(Node).filter(({ metadata }) => metadata.name?.startsWith(`${this.namespace}-`));
    return [...all, ...nodes].map(({ metadata }) => `${metadata.uid}/${metadata.resourceVersion}`).join();
  }

  /** Has objects looked at once more, of the kinds that managers would else look at after minutes. */
  async wake(): Promise<void> {
    for (const kind of this.stage.kinds.woken) {
      for (const { metadata } of this.objects(kind)) {
        const annotations = { "played.example/step": String((this.#looks += 1)) };
        await this.change(kind, metadata.name, { metadata: { annotations } });
      }
    }
  }

  /** Lets managers work until nothing changes any more and, if asked, something holds. */
  async settle(until: () => boolean = () => true): Promise<boolean> {
    const isThere = await this.#untilQuiet(until, firstQuietMs);
    await this.wake();
    await this.#untilQuiet(() => true, quietMs);
    return isThere;
  }

  async #untilQuiet(until: () => boolean, quietMs: number): Promise<boolean> {
    const end = performance.now() + longestMs;
    let [before, since] = ["", performance.now()];
    for (;;) {
      if (this.serving) await this.serveAll();
      const now = this.#versions();
      if (now !== before) [before, since] = [now, performance.now()];
      const isQuiet = performance.now() - since > quietMs;
      if (isQuiet && until()) return true;
      if (performance.now() > end) return false;
      await pause(250);
    }
  }
}
