import { expect, it } from "vitest";
import { dnsUpgradeProblem } from "./core-dns-version.ts";

it.each([
  ["v1.11.1", "v1.12.0", undefined],
  ["1.8.6", "v1.14.2", undefined],
  ["v1.11.1", "v1.11.1-mirror.2", undefined],
  ["v1.9.3", "v1.10.0", undefined],
  ["v1.8.0", "v1.8.0", undefined],
  ["v1.12.0", "v1.11.3", "older"],
  ["v1.8.0", "v1.9.3", undefined],
  ["1.1.3", "v1.9.3", undefined],
  ["1.1.2", "v1.9.3", "older than 1.1.3"],
  ["v1.14.2", "v2.0.0", "may not work with"],
  ["latest", "v1.12.0", "latest"],
  ["v1.12.0", "1.12.0.1", "1.12.0.1"],
])("from %s to %s: %s", (from, to, problem) => {
  const found = dnsUpgradeProblem(from, to);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});
