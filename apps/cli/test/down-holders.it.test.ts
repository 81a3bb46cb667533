import { SecretResource, ConfigMapResource } from "@capstan/contract/wire";
import { expect, it } from "vitest";
import { upFieldManager } from "../src/up/apply.ts";
import { startDownWorld } from "./down-world.ts";

const namespace = "default";
const finalizer = "capstan.dev/held-by-linodemachine.infrastructure.cluster.x-k8s.io";

it("says of what is still there by whom it is needed, and ends once nobody needs it", async () => {
  await using world = await startDownWorld();
  const { client } = world;

  const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "cloud", finalizers: [finalizer] } };
  const key = { namespace, name: "cloud" };
  const applied = { type: "apply", body: secret } as const;
  await client.patch(SecretResource, key, applied, { fieldManager: upFieldManager });

  const first = "1 object still there after 60 s; rerun capstan down to keep waiting\n  Secret default/cloud";
  expect(await world.down()).toBe(
    `${first}; kept by ${finalizer}, although no object references it: is the provider running?`,
  );

  const holds = JSON.stringify([{ kind: "Secret", ...key }]);
  for (const name of ["a", "b", "c", "d"]) {
    const metadata = { namespace, name, annotations: { "capstan.dev/holds": holds } };
    await client.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata });
  }
  const users = ["a", "b", "c"].map((name) => `ConfigMap default/${name}`).join(", ");
  expect(await world.down()).toBe(`${first}; needed by ${users} and 1 more until deleted`);

  await client.patch(SecretResource, key, { type: "merge", body: { metadata: { finalizers: null } } });
  expect(await world.down()).toBe(0);
});
