import { expect, it } from "vitest";
import { createCluster, getCluster, readyOf, startWorld } from "./management.ts";

it("tells an object that it may not act as the manager, and how to change that", async () => {
  await using world = await startWorld({ provider: { defaultCredentials: { namespaces: ["other"] } } });
  await createCluster(world, "prod");
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "DefaultCredentialsRefused");
  expect(readyOf(await getCluster(world, "prod"))?.message).toMatch(
    /^objects in namespace default may not .*; reference a Secret.*--default-credentials-namespaces$/,
  );
  expect(world.simulator.state.nodeBalancers).toEqual([]);
});

it("serves one in a namespace that is named", async () => {
  await using world = await startWorld({ provider: { defaultCredentials: { namespaces: ["default"] } } });
  await createCluster(world, "prod");
  await world.until(async () => (await getCluster(world, "prod"))?.status?.initialization?.provisioned === true);
});
