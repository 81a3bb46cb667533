import { SecretResource } from "@capstan/contract/wire";
import { expect, it } from "vitest";
import { key } from "./kubeadm-cluster.ts";
import { LateServers } from "./late-servers.ts";
import { workloadClient } from "./workload-client.ts";

it("a server that comes up when it is not waited for any more does not join, although the user gave one token to all", async () => {
  await using scene = await LateServers.start();
  await scene.system.untilRunning();
  await scene.takeBackLateServer();
  await scene.until(async () => (await scene.machines()) === 1 && scene.servers === 1);
  await scene.until(async () => (await scene.joined()).nodes === 1);
  expect(await scene.joined()).toEqual({ members: 1, nodes: 1 });
}, 120_000);

it("one that joins all the same, because somebody made its token anew, leaves neither a member of etcd nor a Node", async () => {
  await using scene = await LateServers.start();
  await scene.system.untilRunning();
  await scene.patch({ replicas: 3 });
  await scene.until(async () => (await scene.machines()) === 3 && (await scene.joined()).members === 3);
  await scene.system.untilRunning();
  const { client, close } = await workloadClient(scene.system.running.client, key.name);
  try {
    const tokens = async () =>
      (await client.list(SecretResource, { namespace: "kube-system" })).items.filter(({ metadata }) =>
        metadata.name?.startsWith("bootstrap-token-"),
      );
    let seen: Awaited<ReturnType<typeof tokens>> = [];
    await scene.takeBackLateServer(async () => {
      const now = await tokens();
      const revoked = seen.filter((each) => now.every(({ metadata }) => metadata.name !== each.metadata.name));
      for (const { metadata, ...rest } of revoked) {
        await client.create(SecretResource, { ...rest, metadata: { namespace: "kube-system", name: metadata.name! } });
      }
      seen = [...now, ...revoked];
    });
  } finally {
    await close();
  }
  await scene.until(async () => (await scene.joined()).members === 4);
  await scene.until(async () => (await scene.machines()) === 3 && scene.servers === 3);
  await scene.until(async () => {
    const { members, nodes } = await scene.joined();
    return members === 3 && nodes === 3;
  });
}, 240_000);
