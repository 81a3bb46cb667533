import { expect, it } from "vitest";
import { notMeant } from "./meant-crossings.ts";
import { runTenant } from "./tenant-run.ts";

it("nothing of another namespace is read, written, contacted or deleted, whatever a tenant writes into whichever field", async () => {
  const { attempts, crossings } = await runTenant({ withMachines: true, isTried: () => true, isMarked: () => true });
  expect(notMeant(crossings)).toEqual([]);
  const isIn = (answers: readonly string[]) => attempts.filter(({ answer }) => answers.includes(answer)).length;
  expect(isIn(["taken", "forbidden"]), "most attempts are not refused for what is beside the field").toBeGreaterThan(
    attempts.length * 0.85,
  );
  const crossing = attempts.filter(({ guard, field }) => guard === "references" && /[{,.]namespace\b/.test(field));
  expect(crossing.length).toBeGreaterThan(20);
  expect(crossing.filter(({ answer }) => answer !== "forbidden")).toEqual([]);
}, 2_400_000);
