import { describe } from "vitest";
import { testShortLives } from "./lifecycle-kills.ts";

describe("a process that is killed again and again", () => {
  // Two is the least: the deletion of a Node and the end of its Machine's finalizer belong to one process. Of two Machines that go at
  // once each would delete its Node, and no process would come further.
  testShortLives({ calls: 2, workers: 2 });
  for (const calls of [3, 5]) testShortLives({ calls, workers: 3 });
});
