import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { summaryNews } from "./summary-news.ts";

const condition = (status: string, message = "") => ({ type: "MachinesReady", status, reason: status, message });

const set = (status: object): KubeObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "MachineSet",
  metadata: { name: "s" },
  status: { replicas: 2, readyReplicas: 1, observedGeneration: 1, conditions: [condition("Unknown")], ...status },
});

it.each([
  ["another explanation", { conditions: [condition("Unknown", "Machine a: booting")] }, false],
  ["not true in another way", { conditions: [condition("False")] }, false],
  ["how many are up to date", { upToDateReplicas: 1 }, false],
  ["a condition that has become true", { conditions: [condition("True")] }, true],
  ["a replica that is ready", { readyReplicas: 2 }, true],
  ["a generation that was seen", { observedGeneration: 2 }, true],
])("%s", (_case, change, isNews) => {
  expect(summaryNews(set(change)) !== summaryNews(set({}))).toBe(isNews);
});
