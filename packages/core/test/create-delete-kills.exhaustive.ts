import { describe } from "vitest";
import { testKills } from "./lifecycle-kills.ts";

describe("a process that is killed", () => {
  testKills("creates and deletes", { every: 1 });
  testKills("creates and deletes with its workers", { every: 1 });
});
