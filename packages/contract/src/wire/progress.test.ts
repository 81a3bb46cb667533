import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { isProgress } from "./progress.ts";

const ready = (status: string, reason: string, message = "") => ({ type: "Ready", status, reason, message });

const object: KubeObject = {
  apiVersion: "x/v1",
  kind: "X",
  metadata: {},
  status: {
    phase: "Pending",
    conditions: [ready("False", "A"), { type: "Paused", status: "False" }],
    deprecated: { v1beta1: { conditions: [{ ...ready("False", "A"), severity: "Info" }] } },
  },
};
const conditions = [{ type: "Paused", status: "False" }, ready("False", "B", "almost")];

it.each([
  ["another reason and message", { conditions }, true],
  [
    "both generations",
    { conditions, deprecated: { v1beta1: { conditions: [{ ...ready("False", "B"), severity: "Info" }] } } },
    true,
  ],
  ["another status", { conditions: [ready("True", "Ready"), conditions[0]] }, false],
  ["a new condition", { conditions: [...conditions, { type: "Deleting", status: "False" }] }, false],
  ["a condition less", { conditions: [conditions[1]] }, false],
  [
    "another severity",
    { deprecated: { v1beta1: { conditions: [{ ...ready("False", "A"), severity: "Error" }] } } },
    false,
  ],
  ["another field beside it", { conditions, phase: "Running" }, false],
  ["the first conditions of a generation, none of them true", { v1beta2: { conditions } }, true],
  [
    "the first conditions of a generation, one of them true",
    { v1beta2: { conditions: [ready("True", "Ready")] } },
    false,
  ],
])("%s", (_case, status, progress) => {
  expect(isProgress(object, { metadata: { resourceVersion: "1" }, status })).toBe(progress);
});
