import { expect, it } from "vitest";
import { notMeant } from "./meant-crossings.ts";
import { runTenant } from "./tenant-run.ts";

it("a sample of what a tenant can name reaches nothing of another namespace", async () => {
  const { attempts, crossings } = await runTenant({ withMachines: false, isTried: (index) => index % 9 === 0 });
  expect(attempts.filter(({ answer }) => answer === "taken").length).toBeGreaterThan(20);
  expect(notMeant(crossings)).toEqual([]);
});
