import { CapstanError } from "@capstan/contract";
import { ClusterResource, conditionOf, MachineResource } from "@capstan/contract/wire";
import type { BootstrapContext } from "@capstan/kit/bootstrap";
import { bootstrapConformance } from "@capstan/testing/conformance";
import { ConformanceEnvironment, CorePart, SceneManagers, crashEverywhere } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createNoteProvider, NoteConfig, type NoteProviderOptions } from "./note-config.ts";

bootstrapConformance(
  { afterAll, beforeAll, describe, it },
  {
    kinds: [NoteConfig],
    configKind: NoteConfig,
    configSpec: { command: "echo" },
    formats: ["cloud-config"],
    provider: () => createNoteProvider({ remove: async () => undefined }),
  },
);

const finalizer = "bootstrap.cluster.x-k8s.io/noteconfig";

/** One config named `b`, whose author takes something away. */
class Scene {
  readonly core: CorePart;
  readonly managers: SceneManagers;
  readonly removals: BootstrapContext<NoteConfig>[] = [];
  /** True if `remove` succeeds. */
  works = true;
  readonly #environment: ConformanceEnvironment;

  constructor(environment: ConformanceEnvironment, namespace: string, options?: NoteProviderOptions) {
    this.#environment = environment;
    this.core = new CorePart(environment.client, namespace);
    const provider = () => createNoteProvider(options ?? { remove: (context) => this.#remove(context) });
    this.managers = new SceneManagers(environment, { provider }, namespace);
  }

  async create(): Promise<void> {
    await this.core.createCluster();
    await this.core.infrastructureProvisioned();
    const object = await this.core.createMachine("m", { bootstrap: { dataSecretName: "" } }, { controlPlane: true });
    const owner = { kind: MachineResource, object, controller: true };
    await this.core.createOwned(NoteConfig, "b", { command: "echo", token: "t" }, owner);
  }

  config = (): Promise<NoteConfig | undefined> =>
    this.#environment.client.find<NoteConfig>(NoteConfig, this.core.key("b"));

  ready = () => this.#eventually((object) => object !== undefined && conditionOf(object, "Ready")?.status === "True");
  gone = () => this.#eventually((object) => object === undefined);
  delete = (): Promise<void> => this.#environment.client.delete(NoteConfig, this.core.key("b"));

  async #eventually(test: (object: NoteConfig | undefined) => boolean): Promise<NoteConfig | undefined> {
    return this.#environment.eventually<NoteConfig>(NoteConfig, this.core.key("b"), test);
  }

  async #remove(context: BootstrapContext<NoteConfig>): Promise<void> {
    this.removals.push(context);
    if (this.works) return;
    throw new CapstanError({ code: "note.busy", reason: "RegistryBusy", message: "the registry is busy; wait" });
  }
}

describe("what an author made outside", () => {
  let environment: ConformanceEnvironment;
  let scene: Scene;
  const start = async (options?: NoteProviderOptions): Promise<void> => {
    scene = new Scene(environment, await environment.namespace(), options);
    await scene.create();
    await scene.managers.start();
    await scene.ready();
  };
  beforeAll(async () => {
    environment = await ConformanceEnvironment.start([NoteConfig]);
  });
  afterAll(() => environment.stop());
  afterEach(() => scene.managers.stopAll());

  it("is taken away once, before the config goes", async () => {
    await start();
    expect((await scene.config())?.metadata.finalizers).toEqual([finalizer]);
    expect(scene.removals).toEqual([]);
    await scene.delete();
    await scene.gone();
    expect(scene.removals.map(({ object }) => object.spec.token)).toEqual(["t"]);
  });

  it("is tried again until it is away, and the config says why it stays", async () => {
    await start();
    scene.works = false;
    await scene.delete();
    await environment.until(() => scene.removals.length > 2);
    const config = await scene.config();
    expect(conditionOf(config!, "Ready")).toMatchObject({ status: "False", reason: "RegistryBusy" });
    scene.works = true;
    await scene.gone();
  });

  it("is taken away although Machine and Cluster are gone, which stand there by their names", async () => {
    await start();
    await scene.managers.stopAll();
    await scene.delete();
    await environment.client.delete(MachineResource, scene.core.key("m"));
    await environment.client.delete(ClusterResource, scene.core.key("orchid"));
    await scene.managers.start();
    await scene.gone();
    const [context] = scene.removals;
    expect(context?.machine.metadata.name).toBe("m");
    expect(context?.cluster.metadata.name).toBe("orchid");
  });

  it("stays while the Cluster is paused", async () => {
    await start();
    await scene.core.pause(true);
    await scene.delete();
    await environment.pass(60_000);
    expect(scene.removals).toEqual([]);
    await scene.core.pause(false);
    await scene.gone();
    expect(scene.removals).toHaveLength(1);
  });

  it("is taken away whenever a process dies", async () => {
    await crashEverywhere(async (gate) => {
      scene = new Scene(environment, await environment.namespace());
      await scene.create();
      const first = await scene.managers.start(gate);
      const crashedOr = (done: () => Promise<boolean>) =>
        environment.until(async () => gate.crashedAt !== undefined || (await done()));
      const isReady = async () => conditionOf((await scene.config())!, "Ready")?.status === "True";
      await crashedOr(isReady);
      await scene.delete();
      await crashedOr(async () => (await scene.config()) === undefined);
      if (gate.crashedAt !== undefined) {
        await first.stop();
        await scene.managers.start();
      }
      await scene.gone();
      const wasMade = gate.passed.includes("after create Secret");
      if (wasMade) expect(scene.removals.length).toBeGreaterThan(0);
      await scene.managers.stopAll();
    });
  });

  it("needs nobody where an author makes nothing: the config has no finalizer, and loses one of an older author", async () => {
    await start({});
    expect((await scene.config())?.metadata.finalizers).toBeUndefined();
    await scene.core.patch(NoteConfig, "b", { metadata: { finalizers: [finalizer] } });
    await scene.delete();
    await scene.gone();
  });
});
