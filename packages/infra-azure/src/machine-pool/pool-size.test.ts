import { expect, it } from "vitest";
import type { PoolPlan } from "./pool-plan.ts";
import { poolSizeProblem } from "./pool-size.ts";

const plan = (isFlexible: boolean, azureEnvironment: string) =>
  ({
    isFlexible,
    place: { spec: { azureEnvironment, location: "west" } },
    spec: { vmSize: "Standard_None" },
    zones: [],
  }) as unknown as PoolPlan;

it("a Flexible scale set is refused at Azure Stack alone", () => {
  expect(poolSizeProblem([], plan(true, "AzureStackCloud"))).toContain("spec.orchestrationMode Flexible");
  expect(poolSizeProblem([], plan(false, "AzureStackCloud"))).toContain("spec.template.vmSize");
  expect(poolSizeProblem([], plan(true, "AzurePublicCloud"))).toContain("spec.template.vmSize");
});
