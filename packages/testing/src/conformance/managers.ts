import type { ProviderV1 } from "@capstan/contract/v1";
import type { Manager } from "@capstan/runtime";
import { CloudCalls } from "../cloud-calls.ts";
import { Installation, installationService } from "@capstan/kit/engine";
import type { InstallationFacts } from "@capstan/kit/engine";
import { CallGate } from "./call-gate.ts";
import type { ConformanceEnvironment, RunningManager } from "./environment.ts";

/** Provider under test, and the world that it writes to. */
export interface ManagedWorld {
  /** Recreated for every manager, as in a new process. */
  provider(): ProviderV1;
  /**
   * The hook is called before and after every writing call; it may throw, as a process that dies there would. The call that makes a
   * server is called `create`, others as one likes.
   */
  onCall?(hook: (call: string, phase: "before" | "after") => void): void;
  /** Plugs services into a manager before it runs. */
  prepare?(manager: Manager): void;
}

const known = (manager: Manager, installation: () => InstallationFacts): Installation =>
  new Installation({
    read: async () => installation(),
    howToRaise: (epoch) => `raise the epoch to ${epoch}`,
    clock: manager.clock,
    log: manager.log,
    metrics: manager.metrics,
  });

/** The managers of one scene, each with a provider of its own, all limited to the scene's namespace. */
export class SceneManagers {
  readonly #environment: ConformanceEnvironment;
  readonly #world: ManagedWorld;
  readonly #namespace: string | undefined;
  readonly #running = new Set<RunningManager>();
  #haveStarted = false;
  /** Writes of all managers to the management API: `patch Kind` and the like. */
  readonly writes = new CloudCalls<string>();

  /** `namespace`: the only one that the managers look after. Default: all of them. */
  constructor(environment: ConformanceEnvironment, world: ManagedWorld, namespace?: string) {
    this.#environment = environment;
    this.#world = world;
    this.#namespace = namespace;
  }

  /** True if any has run yet. */
  get haveStarted(): boolean {
    return this.#haveStarted;
  }

  /** `installation`: who the manager is at its clouds. Default: it does not know. */
  async start(
    gate = new CallGate(),
    { installation }: { readonly installation?: () => InstallationFacts } = {},
  ): Promise<RunningManager> {
    this.#haveStarted = true;
    this.#world.onCall?.((call, phase) => gate.point(`${phase} ${call} at the cloud`));
    const running = await this.#environment.runManager({
      providers: [this.#world.provider()],
      ...(this.#namespace !== undefined && { namespace: this.#namespace }),
      gate,
      writes: this.writes,
      prepare: (manager) => {
        this.#world.prepare?.(manager);
        if (installation !== undefined) manager.provide(installationService, known(manager, installation));
      },
    });
    this.#running.add(running);
    return running;
  }

  async stopAll(): Promise<void> {
    for (const running of this.#running) await running.stop();
    this.#running.clear();
  }
}
