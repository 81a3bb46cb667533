import { conditionOf, SecretResource } from "@capstan/contract/wire";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import type { CallGate } from "@capstan/testing/environment";
import { ConformanceEnvironment, crashEverywhere, SceneManagers } from "@capstan/testing/environment";
import { expect, it } from "vitest";
import { Account, Bench, createLabProvider, Experiment, Task } from "./lab.ts";

/** Everything is made, and deleted in an order in which what the removal needs goes first. `every`: the distance between two crashes. */
export const testHoldCrashes = ({ every }: { readonly every: number }): void => {
  it("leaves nothing held, and nobody without what it needs", async () => {
    const environment = await ConformanceEnvironment.start([Account, Bench, Experiment, Task]);
    try {
      await crashEverywhere((gate) => liveWithCrash(environment, gate), { every });
    } finally {
      await environment.stop();
    }
  });
};

const specs: readonly (readonly [Resource, string, object])[] = [
  [Bench, "bench", { spec: {} }],
  [Account, "rich", { spec: { credit: true, secret: "token" } }],
  [SecretResource, "token", { data: { token: "dA==" } }],
  [Experiment, "e", { spec: { command: "stir", account: "rich" } }],
];

const liveWithCrash = async (environment: ConformanceEnvironment, gate: CallGate): Promise<void> => {
  const { client } = environment;
  const namespace = await environment.namespace();
  const provider = () => createLabProvider({ opened: [], asked: [] });
  const managers = new SceneManagers(environment, { provider }, namespace);
  for (const [kind, name, rest] of specs) {
    const metadata = { namespace, name };
    await client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest });
  }
  await managers.start(gate);
  const hasCrashed = (): boolean => gate.crashedAt !== undefined;
  const works = (object: KubeObject | undefined): boolean =>
    object !== undefined && conditionOf(object, "Ready")?.reason === "Working";
  await environment.eventually(Experiment, { namespace, name: "e" }, (object) => hasCrashed() || works(object));
  const deleted = specs.slice(1);
  for (const [kind, name] of deleted) await client.delete(kind, { namespace, name });
  const areGone = async (): Promise<boolean> => {
    const left = await Promise.all(deleted.map(([kind, name]) => client.find(kind, { namespace, name })));
    return left.every((object) => object === undefined);
  };
  await environment.until(async () => hasCrashed() || (await areGone()));
  if (hasCrashed()) {
    await managers.stopAll();
    await managers.start();
  }
  await environment.until(areGone);
  const benches = await client.list(Bench, { namespace });
  expect(benches.items.map(({ metadata }) => metadata.annotations ?? {})).toEqual([{}]);
  await managers.stopAll();
};
