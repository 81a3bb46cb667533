import { describe } from "vitest";
import { testKills } from "./lifecycle-kills.ts";

describe("a process that is killed", () => {
  testKills("rolls out", { every: 1 });
});
