import { expect, it } from "vitest";
import type { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { HostLabel } from "../api/names.ts";
import { bootstrapOf } from "./machine-facts.ts";

const host = (
  condition?: { readonly status: string; readonly reason: string; readonly message: string },
  isDone = false,
) =>
  ({
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "ElementalHost",
    metadata: { name: "h", labels: isDone ? { [HostLabel.bootstrapped]: "true" } : {} },
    status: {
      conditions:
        condition === undefined
          ? []
          : [{ type: "BootstrapReady", lastTransitionTime: "2030-01-01T00:00:00Z", ...condition }],
    },
  }) as unknown as ElementalHost;

it.each([
  ["nothing", host(), {}],
  [
    "that it looks for the sentinel",
    host({ status: "False", reason: "WaitingForBootstrap", message: "not there yet" }),
    { bootstrap: { state: "running" } },
  ],
  [
    "that it has not found it in time, and goes on looking",
    host({ status: "False", reason: "BootstrapFailed", message: "not there after 10 minutes" }),
    { bootstrap: { state: "timedOut", cause: "bootstrapping failed: not there after 10 minutes" } },
  ],
  [
    "that it has found it",
    host({ status: "True", reason: "Done", message: "" }, true),
    { bootstrap: { state: "succeeded" } },
  ],
])("the verdict on a host whose agent says %s", (_case, given, expected) => {
  expect(bootstrapOf(given)).toEqual(expected);
});
