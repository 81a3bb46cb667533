import { describe } from "vitest";
import { testKills } from "./lifecycle-kills.ts";

// A sample, about ten calls of each; `npm run test:exhaustive` takes them all.
describe("a process that is killed", () => {
  testKills("creates and deletes", { every: 7 });
  testKills("creates and deletes with its workers", { every: 10 });
  testKills("scales", { every: 5 });
  testKills("rolls out", { every: 11 });
});
