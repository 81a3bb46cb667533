import { describe } from "vitest";
import { testKills } from "./lifecycle-kills.ts";

// About ten calls of each phase; `npm run test:exhaustive` takes them all.
describe("a process that is killed", () => {
  testKills("scales", { every: 19 });
});
