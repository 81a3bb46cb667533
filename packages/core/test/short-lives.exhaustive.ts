import { describe } from "vitest";
import { testShortLives } from "./lifecycle-kills.ts";

describe("a process that is killed again and again", () => {
  // Two is the least: the deletion of a Node and the end of its Machine's finalizer belong to one process.
  for (const calls of [2, 3, 5]) testShortLives({ calls });
});
