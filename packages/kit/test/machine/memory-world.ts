import { objectStores, type ProviderV1 } from "@capstan/contract/v1";
import type { Manager } from "@capstan/runtime";
import { SignedStore } from "@capstan/testing";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { createMemoryProvider, MemoryCloud, MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/** What the cases of a file have: one API server and one store, and for each case a namespace, a cloud and managers. */
export interface MemoryWorld {
  readonly environment: ConformanceEnvironment;
  /** The only object store that managers know. */
  readonly store: SignedStore;
  readonly core: CorePart;
  /** A case may put another one here before it starts managers. */
  cloud: MemoryCloud;
  readonly managers: SceneManagers;
}

export interface MemoryWorldOptions {
  /** Of the cloud, beside its clock. Machines boot in two seconds. */
  readonly cloud?: Partial<ConstructorParameters<typeof MemoryCloud>[0]>;
  /** Default: that of clouds in memory. */
  readonly provider?: (cloud: MemoryCloud) => ProviderV1;
  /** Managers see all namespaces. Default: that of the case. */
  readonly everywhere?: boolean;
}

/** The world of the cases of this file; there from the first hook on that comes after it. */
export const memoryWorld = ({ cloud, everywhere = false, provider }: MemoryWorldOptions = {}): MemoryWorld => {
  const world = {} as { -readonly [K in keyof MemoryWorld]: MemoryWorld[K] };
  beforeAll(async () => {
    const environment = await ConformanceEnvironment.start([MemoryCluster, MemoryMachine]);
    world.environment = environment;
    world.store = await SignedStore.start(() => environment.clock.now());
  });
  afterAll(async () => {
    await world.store[Symbol.asyncDispose]();
    await world.environment.stop();
  });
  beforeEach(async () => {
    const { environment, store } = world;
    store.calls.length = 0;
    store.refused.clear();
    store.objects.clear();
    world.core = new CorePart(environment.client, await environment.namespace());
    world.cloud = new MemoryCloud({ clock: environment.clock, bootMs: 2000, ...cloud });
    const parts = {
      provider: () => (provider ?? createMemoryProvider)(world.cloud),
      prepare: (manager: Manager): void => manager.provide(objectStores, [store.opener]),
    };
    world.managers = new SceneManagers(environment, parts, everywhere ? undefined : world.core.namespace);
  });
  afterEach(() => world.managers.stopAll());
  return world;
};
