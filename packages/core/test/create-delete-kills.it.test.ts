import { describe } from "vitest";
import { testKills } from "./lifecycle-kills.ts";

// A few calls of each phase; `npm run test:exhaustive` takes them all.
describe("a process that is killed", () => {
  testKills("creates and deletes", { every: 29 });
  testKills("creates and deletes with its workers", { every: 37 });
});
