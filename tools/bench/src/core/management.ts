import { conditionsOf, ClusterResource, MachineResource } from "@capstan/contract/wire";
import { type Client, connect, createCache, createClient, type Informer, loadKubeconfig } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { crdOf, type KubeObject, type Resource, resource } from "@capstan/schema";
import { MemoryCluster, MemoryMachine, MemoryMachineTemplate } from "@capstan/testing/infra-memory";

const parallel = 16;
const stuckShown = 3;

const phaseOf = (object: KubeObject): string =>
  (object["status"] as { readonly phase?: string } | undefined)?.phase ?? "none";

/** Kinds with regular plurals, which all of these are. */
const resourceOf = ({ apiVersion, kind }: KubeObject) => {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return resource({ group, version, kind, plural: `${kind.toLowerCase()}s` });
};

const conditionLines = (object: KubeObject): readonly string[] =>
  conditionsOf(object)
    .filter(({ status }) => status !== "True")
    .map(({ type, status, reason, message }) => `    ${type} ${status} ${reason}: ${message}`);

interface Informers {
  readonly clusters: Informer;
  readonly machines: Informer;
  readonly others: ReadonlyMap<Resource, Informer>;
}

/** The management API as the bench sees it: it writes what a user writes, and watches Clusters and Machines. */
export class Management {
  readonly #client: Client;
  readonly #clusters: Informer;
  readonly #machines: Informer;
  readonly #others: ReadonlyMap<Resource, Informer>;
  readonly #phases = new Map<string, number>();
  readonly #stop: () => Promise<void>;

  private constructor(client: Client, { clusters, machines, others }: Informers, stop: () => Promise<void>) {
    this.#client = client;
    this.#clusters = clusters;
    this.#machines = machines;
    this.#others = others;
    this.#stop = stop;
    machines.subscribe((event) => {
      if (event.type === "updated") this.#count(event.previous, -1);
      this.#count(event.object, event.type === "deleted" ? -1 : 1);
    });
  }

  /** Resolves when it sees what there is; the kinds must be installed. `watched`: further kinds to list. */
  static async open(kubeconfig: string, watched: readonly Resource[] = []): Promise<Management> {
    const connection = connect({ clock: systemClock, access: await loadKubeconfig({ text: kubeconfig }) });
    const cache = createCache({ connection, random: cryptoRandom });
    const stopping = new AbortController();
    const clusters = cache.informer(ClusterResource);
    const machines = cache.informer(MachineResource);
    const others = new Map(watched.map((kind) => [kind, cache.informer(kind)] as const));
    await cache.start({ signal: stopping.signal });
    return new Management(createClient(connection), { clusters, machines, others }, async () => {
      stopping.abort();
      await connection.close();
    });
  }

  get allMachines(): readonly KubeObject[] {
    return this.#machines.list();
  }

  get machines(): number {
    return [...this.#phases.values()].reduce((sum, count) => sum + count, 0);
  }

  get clusters(): number {
    return this.#clusters.list().length;
  }

  get running(): number {
    return this.#phases.get("Running") ?? 0;
  }

  /** Returns the number of Machines in each phase, as text. */
  get progress(): string {
    const phases = [...this.#phases].filter(([, count]) => count > 0).map(([phase, count]) => `${count} ${phase}`);
    return phases.join(", ") || "no Machines";
  }

  /** Objects of one of the further kinds. */
  list(kind: Resource): readonly KubeObject[] {
    return this.#others.get(kind)?.list() ?? [];
  }

  /** Changes an object of one of them, with a merge patch. */
  async change(kind: Resource, { metadata }: KubeObject, body: Readonly<Record<string, unknown>>): Promise<void> {
    const key = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
    await this.#client.patch(kind, key, { type: "merge", body });
  }

  async create(objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) await this.#client.create(resourceOf(object), object);
  }

  /** Does the work for every item, several at once. */
  async forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const waiting = items.values();
    const worker = async (): Promise<void> => {
      for (const item of waiting) await work(item);
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }

  async deleteClusters(): Promise<void> {
    await this.forEach(this.#clusters.list(), async ({ metadata }) => {
      await this.#client.delete(ClusterResource, { namespace: metadata.namespace ?? "", name: metadata.name ?? "" });
    });
  }

  /** Returns the messages of objects that are not where they should be. */
  get stuck(): string {
    const machines = this.#machines.list().filter((machine) => phaseOf(machine) !== "Running");
    const others = [...this.#others.values()].flatMap((informer) => informer.list().slice(0, 1));
    const shown = [...this.#clusters.list().slice(0, 1), ...others, ...machines.slice(0, stuckShown)];
    return shown
      .flatMap((object) => [`  ${object.kind} ${object.metadata.name} ${phaseOf(object)}`, ...conditionLines(object)])
      .join("\n");
  }

  close(): Promise<void> {
    return this.#stop();
  }

  #count(machine: KubeObject, change: 1 | -1): void {
    const phase = phaseOf(machine);
    this.#phases.set(phase, (this.#phases.get(phase) ?? 0) + change);
  }
}

/** Installs the kinds of the infrastructure. */
export const installInfrastructure = async (kubeconfig: string): Promise<void> => {
  const connection = connect({ clock: systemClock, access: await loadKubeconfig({ text: kubeconfig }) });
  try {
    const client = createClient(connection);
    for (const kind of [MemoryCluster, MemoryMachine, MemoryMachineTemplate]) {
      const definition = crdOf(kind);
      await client.create(resourceOf(definition), definition);
    }
  } finally {
    await connection.close();
  }
};
