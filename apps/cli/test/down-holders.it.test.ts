import { createApiServer } from "@capstan/apiserver";
import { SecretResource, ConfigMapResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { recentClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { takeDown } from "../src/down/take-down.ts";
import { silentView } from "../src/embedded-up.ts";
import { upFieldManager } from "../src/up/apply.ts";

const namespace = "default";
const finalizer = "capstan.dev/held-by-linodemachine.infrastructure.cluster.x-k8s.io";

it("says of what is still there by whom it is needed, and ends once nobody needs it", async () => {
  const clock = recentClock();
  const server = createApiServer({ clock, random: seededRandom(1) });
  await server.start();
  const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  const client = createClient(connection);
  const { signal } = new AbortController();

  const down = async (): Promise<unknown> => {
    let ended = false;
    const work = takeDown({ client, clock, view: silentView, signal }, 60_000)
      .catch((error: unknown) => (error as Error).message)
      .finally(() => (ended = true));
    await clock.advanceUntil(() => ended, { maxMs: 120_000 });
    return work;
  };

  const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "cloud", finalizers: [finalizer] } };
  const key = { namespace, name: "cloud" };
  const applied = { type: "apply", body: secret } as const;
  await client.patch(SecretResource, key, applied, { fieldManager: upFieldManager });

  const first = "1 object still there after 60 s; rerun capstan down to keep waiting\n  Secret default/cloud";
  expect(await down()).toBe(
    `${first}; kept by ${finalizer}, although no object references it: is the provider running?`,
  );

  const holds = JSON.stringify([{ kind: "Secret", ...key }]);
  for (const name of ["a", "b", "c", "d"]) {
    const metadata = { namespace, name, annotations: { "capstan.dev/holds": holds } };
    await client.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata });
  }
  const users = ["a", "b", "c"].map((name) => `ConfigMap default/${name}`).join(", ");
  expect(await down()).toBe(`${first}; needed by ${users} and 1 more until deleted`);

  await client.patch(SecretResource, key, { type: "merge", body: { metadata: { finalizers: null } } });
  expect(await down()).toBe(0);
  await connection.close();
  await server.stop();
});
