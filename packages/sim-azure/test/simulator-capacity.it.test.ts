import { expect, it } from "vitest";
import { makeVm, vmAt } from "./cluster-machine.ts";
import { makeNetwork } from "./cluster-network.ts";
import { simulate } from "./simulation.ts";

const succeeded = { body: { status: "Succeeded" } };

it("a machine is not to be had where there is no room for its size", async () => {
  await using full = await simulate({ capacity: { Standard_D2s_v3: 1, "Standard_D2s_v3/1": 0 } });
  await makeNetwork(full);
  const failed = (code: string) => ({ body: { status: "Failed", error: { code } } });
  expect(await makeVm(full, "zonal", { zone: "1" })).toMatchObject(failed("ZonalAllocationFailed"));
  const more = { additionalCapabilities: { ultraSSDEnabled: true } };
  expect(await makeVm(full, "ultra", { zone: "1", more })).toMatchObject(
    failed("OverconstrainedZonalAllocationRequest"),
  );
  expect(await makeVm(full, "first", { zone: "2" })).toMatchObject(succeeded);
  expect(await makeVm(full, "second", { outer: { zones: undefined } })).toMatchObject(failed("AllocationFailed"));
  await full.settle("DELETE", vmAt("first"));
  expect(await makeVm(full, "third", { zone: "2" })).toMatchObject(succeeded);
});
