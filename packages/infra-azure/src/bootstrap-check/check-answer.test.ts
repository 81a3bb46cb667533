import { describe, expect, it } from "vitest";
import { checkAnswer, lookAnswer } from "./check-answer.ts";

const extension = (provisioningState: string, message = "") => ({
  properties: {
    provisioningState,
    instanceView: { statuses: [{ code: "ProvisioningState/x", level: "Info", displayStatus: "x", message }] },
  },
});

const failure = (stdout: string, stderr = "") =>
  `Enable failed: failed to execute command: command terminated with exit status=1\n[stdout]\n${stdout}\n[stderr]\n${stderr}`;

describe("what the bootstrap extension says", () => {
  it.each([
    ["it is being installed", extension("Creating"), { state: "running" }],
    ["it is being changed", extension("Updating"), { state: "running" }],
    ["it found the sentinel", extension("Succeeded", "Enable succeeded"), { state: "succeeded" }],
    [
      "bootstrapping failed",
      extension("Failed", failure("capstan-bootstrap-check/v1 failed\nfirst\nlast")),
      { state: "failed", log: "first\nlast" },
    ],
    [
      "time was over",
      extension("Failed", failure("capstan-bootstrap-check/v1 timed-out\nwaiting")),
      { state: "timedOut", log: "waiting" },
    ],
    [
      "the command could not run",
      extension("Failed", failure("", "sh: not found")),
      { state: "failed", log: expect.stringContaining("exit status=1") as string },
    ],
    ["it failed without a word", extension("Failed"), { state: "failed", log: "" }],
    ["it was canceled", extension("Canceled"), { state: "failed", log: "" }],
  ])("%s", (_name, given, expected) => {
    expect(checkAnswer(given)).toEqual(expected);
  });

  it("is failed however often it is looked at", () => {
    const failed = extension("Failed", failure("capstan-bootstrap-check/v1 failed\nx"));
    expect([checkAnswer(failed), checkAnswer(failed)].map(({ state }) => state)).toEqual(["failed", "failed"]);
  });
});

describe("what a look into the machine says", () => {
  it.each([
    ["capstan-bootstrap-check/v1 succeeded\n", { state: "succeeded" }],
    ["capstan-bootstrap-check/v1 running\nhalf way", { state: "running" }],
    ["capstan-bootstrap-check/v1 failed\nfirst\nlast", { state: "failed", log: "first\nlast" }],
    ["", { state: "running" }],
    ["somebody else's words", { state: "running" }],
  ])("%j", (stdout, expected) => {
    expect(lookAnswer(stdout)).toEqual(expected);
  });
});
