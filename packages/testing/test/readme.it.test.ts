import { conditionOf } from "@capstan/contract/wire";
import { fakeClock, seededRandom } from "@capstan/testing";
import { CallGate, ConformanceEnvironment, crashEverywhere, SceneManagers } from "@capstan/testing/environment";
import { expect, it } from "vitest";
import { createNetworkProvider, Network, NetworkCloud } from "./network-provider.ts";

const network = (namespace: string): Network => ({
  apiVersion: "net.example.dev/v1",
  kind: "Network",
  metadata: { namespace, name: "n" },
  spec: { range: "10.0.0.0/16" },
});

const isReady = (object?: Network): boolean => object !== undefined && conditionOf(object, "Ready")?.status === "True";

it("the README's clock moves when it is told to", async () => {
  let asked = 0;
  const server = {
    get requests() {
      asked += 1;
      return asked;
    },
  };

  const clock = fakeClock();
  const random = seededRandom(1);
  const nap = clock.sleep(1000);
  await clock.advance(1000); // runs what falls due, lets promises settle
  await nap;
  await clock.advanceUntil(() => server.requests > 3); // with real sockets: steps of virtual time, real I/O in between

  expect(asked).toBeGreaterThan(3);
  expect(random.next()).toBe(seededRandom(1).next());
});

it("the README's scene makes one network although its manager dies anywhere", async () => {
  const environment = await ConformanceEnvironment.start([Network]); // an embedded API server with the kinds, on a virtual clock
  await crashEverywhere(
    async (gate) => {
      const cloud = new NetworkCloud();
      const onCall = (hook: (call: string, phase: "before" | "after") => void) => (cloud.calls.onCall = hook);
      const namespace = await environment.namespace();
      const managers = new SceneManagers(
        environment,
        { provider: () => createNetworkProvider(cloud), onCall },
        namespace,
      );
      await environment.client.create(Network, network(namespace));
      await managers.start(gate); // dies at one point after another
      const key = { namespace, name: "n" };
      await environment.eventually(Network, key, (object) => gate.crashedAt !== undefined || isReady(object));
      await managers.stopAll();
      await managers.start(new CallGate()); // what has died is taken over
      await environment.eventually(Network, key, isReady);
      expect(cloud.networks.size).toBe(1);
      await managers.stopAll();
    },
    { every: 4 },
  );
  await environment.stop();
});
