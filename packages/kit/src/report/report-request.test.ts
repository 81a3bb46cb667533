import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { reportRequest } from "./report-request.ts";

const saying = (text?: string): KubeObject => ({
  apiVersion: "v1",
  kind: "X",
  metadata: text === undefined ? {} : { annotations: { "capstan.dev/bootstrap-report": text } },
});

it.each([
  ["nobody", [saying(), saying()], undefined, { wanted: false, waitMs: 1_200_000 }],
  ["the provider", [saying()], { wanted: true, waitMs: 5 }, { wanted: true, waitMs: 5 }],
  ["the machine", [saying("true"), saying("false")], undefined, { wanted: true, waitMs: 1_200_000 }],
  [
    "the Machine, not the provider",
    [saying(), saying("false")],
    { wanted: true },
    { wanted: false, waitMs: 1_200_000 },
  ],
  ["the machine, and how long", [saying(" 1h30m ")], undefined, { wanted: true, waitMs: 5_400_000 }],
  ["the machine, with no duration", [saying("0s")], { waitMs: 7 }, { wanted: true, waitMs: 7 }],
])("%s decides", (_case, objects, byDefault, expected) => {
  expect(reportRequest(objects, byDefault)).toEqual(expected);
});
