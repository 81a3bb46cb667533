import { expect, it } from "vitest";
import { notMeant } from "./meant-crossings.ts";
import { runTenant } from "./tenant-run.ts";

it("a sample of what a tenant can name reaches nothing of another namespace", async () => {
  const { attempts, crossings } = await runTenant({
    withMachines: false,
    // Files of the manager are always among them.
    isTried: (index, { guard }) => index % 9 === 0 || guard === "credentials folder",
    isMarked: (index) => index % 6 === 0,
  });
  expect(attempts.filter(({ answer }) => answer === "taken").length).toBeGreaterThan(20);
  expect(notMeant(crossings)).toEqual([]);
});
