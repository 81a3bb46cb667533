import { CapstanError } from "@capstan/contract";
import { MachineResource, SecretResource } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { bootstrapConfig, initLock, initOrJoin, ready, type BootstrapContext } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import type { Manager } from "@capstan/runtime";
import { CallGate, ConformanceEnvironment, gatedClient, SceneManagers } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteMachine, managementCluster, type ManagementCluster } from "./management-cluster.ts";
import { NoteConfig } from "./note-config.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([NoteConfig]);
});
afterAll(() => environment.stop());

type Context = BootstrapContext<NoteConfig>;

const begins = (context: Context, client: Client) =>
  initOrJoin(
    { ...context, client },
    {
      init: async () => ready({ value: "init", format: "cloud-config" }),
      join: async () => ready({ value: "join", format: "cloud-config" }),
    },
  );

/** Looks at the lock, and its holder goes for good after the look, while the manager does not know yet what comes of it. */
const whileHolderGoes = (place: ManagementCluster, manager: () => Manager, context: Context): Client => ({
  ...gatedClient(context.client, new CallGate()),
  find: async (kind, key, ...more) => {
    const found = await context.client.find(kind, key, ...more);
    if (kind.kind !== MachineResource.kind || found === undefined) return found;
    await deleteMachine(place, "holder");
    const isSeen = (): boolean => manager().cache.get(MachineResource, place.core.key("holder")) === undefined;
    while (!isSeen()) await new Promise(setImmediate);
    return found;
  },
});

it("wakes a config that failed before, when the holder of the lock goes while it looks", async () => {
  const place = await managementCluster(environment);
  const { core } = place;
  await core.infrastructureProvisioned();
  await core.createMachine("holder", { bootstrap: { dataSecretName: "x" } }, { controlPlane: true });
  await initLock(place).acquire("holder");
  const configRef = { apiGroup: NoteConfig.group, kind: NoteConfig.kind, name: "next" };
  const object = await core.createMachine("next", { bootstrap: { configRef } }, { controlPlane: true });
  await core.createOwned(NoteConfig, "next", { command: "x" }, { kind: MachineResource, object, controller: true });
  let manager: Manager | undefined;
  let tries = 0;
  const generate = async (context: Context) => {
    tries += 1;
    if (tries === 1) throw new CapstanError({ code: "test.failed", reason: "Failed", message: "not yet" });
    return begins(
      context,
      whileHolderGoes(place, () => manager!, context),
    );
  };
  const world = {
    provider: () =>
      defineProvider({
        name: "bootstrap-note",
        kinds: [NoteConfig],
        register: (host) => host.add(bootstrapConfig<NoteConfig>({ kind: NoteConfig, initLock: true, generate })),
      }),
    prepare: (prepared: Manager) => {
      manager = prepared;
    },
  };
  const managers = new SceneManagers(environment, world, core.namespace);
  await managers.start();
  const began = environment.clock.now();
  await environment.until(
    async () => (await environment.client.find(SecretResource, core.key("next"))) !== undefined,
    1_200_000,
  );
  expect(environment.clock.now() - began).toBeLessThan(120_000);
  expect(tries).toBe(3);
  await managers.stopAll();
});
