import { expect, it } from "vitest";
import { storeErrors, storeMeanings } from "./store-errors.ts";

it("has one code and one reason per meaning", () => {
  const all = Object.values(storeMeanings);
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
  expect(new Set(all.map(({ reason }) => reason)).size).toBe(all.length);
  for (const { code } of all) expect(code).toMatch(/^objectstore\.[a-z_]+$/);
});

it("says what was tried, why it failed, and the mend in the store's own terms", () => {
  const cause = new Error("no");
  const error = storeErrors({ forbidden: "ask Ada" })("forbidden", "put it", "it said no", { cause, status: 403 });
  expect(error).toMatchObject({
    code: "objectstore.forbidden",
    message: "could not put it: it said no; ask Ada",
    cause,
    details: { status: 403 },
  });
  expect(storeErrors()("conflict", "put it", "it is there").message).toContain("another writer has created it");
});
