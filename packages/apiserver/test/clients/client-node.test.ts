import { CoreV1Api, KubeConfig, KubernetesObjectApi, makeInformer, PatchStrategy } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "../../src/index.ts";
import { startServer } from "../embedded-server.ts";

/** The common JavaScript client, as other programs use it. */
describe("@kubernetes/client-node", () => {
  let server: ApiServer;
  const config = new KubeConfig();

  beforeAll(async () => {
    server = await startServer();
    config.loadFromString(await server.adminKubeconfig());
  });

  afterAll(async () => {
    await server.stop();
  });

  it("creates, reads, patches, lists and deletes", async () => {
    const core = config.makeApiClient(CoreV1Api);
    const metadata = { name: "a", labels: { x: "y" } };
    await core.createNamespacedConfigMap({ namespace: "default", body: { metadata, data: { k: "1" } } });
    const read = await core.readNamespacedConfigMap({ namespace: "default", name: "a" });
    expect(read.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const objects = KubernetesObjectApi.makeApiClient(config);
    const patch = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", namespace: "default" },
      data: { l: "2" },
    };
    const patched = await objects.patch(patch, undefined, undefined, "smoke", true, PatchStrategy.ServerSideApply);
    expect(patched.data).toEqual({ k: "1", l: "2" });
    const list = await core.listNamespacedConfigMap({ namespace: "default", labelSelector: "x=y" });
    expect(list.items.map((item) => item.metadata?.name)).toEqual(["a"]);
    await core.deleteNamespacedConfigMap({ namespace: "default", name: "a" });
    await expect(core.readNamespacedConfigMap({ namespace: "default", name: "a" })).rejects.toMatchObject({
      code: 404,
    });
  });

  it("follows changes with an informer", async () => {
    const core = config.makeApiClient(CoreV1Api);
    const informer = makeInformer(config, "/api/v1/namespaces/default/secrets", () =>
      core.listNamespacedSecret({ namespace: "default" }),
    );
    const seen = Promise.withResolvers<string | undefined>();
    informer.on("add", (object) => seen.resolve(object.metadata?.name));
    await informer.start();
    await core.createNamespacedSecret({ namespace: "default", body: { metadata: { name: "s" } } });
    expect(await seen.promise).toBe("s");
    await informer.stop();
  });
});
