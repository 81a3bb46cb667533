import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { reportRequest } from "./report-request.ts";

const saying = (text?: string, checker?: string): KubeObject => ({
  apiVersion: "v1",
  kind: "X",
  metadata: {
    annotations: {
      ...(text !== undefined && { "capstan.dev/bootstrap-report": text }),
      ...(checker !== undefined && { "capstan.dev/bootstrap-checker": checker }),
    },
  },
});

const minutes = 60_000;

it.each([
  ["nobody", [saying(), saying()], undefined, { wanted: false, refused: false, waitMs: 20 * minutes }],
  ["the provider", [saying()], { wanted: true, waitMs: 5 }, { wanted: true, refused: false, waitMs: 5 }],
  ["the machine", [saying("true"), saying("false")], undefined, { wanted: true, refused: false, waitMs: 20 * minutes }],
  [
    "the Machine, not the provider",
    [saying(), saying("false")],
    { wanted: true },
    { wanted: false, refused: true, waitMs: 20 * minutes },
  ],
  ["the machine, and how long", [saying(" 1h30m ")], undefined, { wanted: true, refused: false, waitMs: 90 * minutes }],
  ["the machine, with no duration", [saying("0s")], { waitMs: 7 }, { wanted: true, refused: false, waitMs: 7 }],
  [
    "the machine, and who checks",
    [saying(undefined, " Run-Command "), saying("5m", "node")],
    undefined,
    { wanted: true, refused: false, waitMs: 5 * minutes, checker: "run-command" },
  ],
  [
    "the machine, that nobody checks",
    [saying("true", "none")],
    undefined,
    { wanted: false, refused: true, waitMs: 20 * minutes },
  ],
])("%s decides", (_case, objects, byDefault, expected) => {
  expect(reportRequest(objects, byDefault)).toEqual(expected);
});
