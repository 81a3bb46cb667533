import { ClusterResource } from "@capstan/contract/wire";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { expect, it } from "vitest";
import { createManagedWorld, names, recording } from "./managed-world.ts";
import { example } from "./test-system.ts";

const assets = process.env["KUBEBUILDER_ASSETS"];

const until = (condition: () => boolean) => expect.poll(condition, { timeout: 300_000, interval: 100 }).toBe(true);

it("makes and deletes a cluster on a real API server, every provider under the account that was installed for it", async ({
  skip,
}) => {
  if (assets === undefined) return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  const real = await startKubeApiserver({ assets });
  await using world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server: {
      url: real.url,
      caCertificate: real.certificateAuthority.certificate,
      adminKubeconfig: async () => real.kubeconfig,
      stop: () => real.stop(),
    },
  });
  await world.install();
  const refused: unknown[] = [];
  for (const name of names) {
    const started = await world.start(
      { providers: [name] },
      {
        access: await world.accessOf(`capstan-${name}`),
        wrapConnection: recording((seen) => {
          if (seen.status === 403) refused.push({ name, ...seen });
        }),
      },
    );
    await started.manager.ready();
  }
  await world.apply([example]);
  await until(() => world.running() === 4);
  await world.admin.delete(ClusterResource, { namespace: "default", name: "orchid" });
  await until(() => world.cache.list(ClusterResource).length === 0);
  expect(world.simulator.state.instances).toEqual([]);
  expect(refused).toEqual([]);
}, 900_000);
