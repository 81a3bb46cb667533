import { expect, it } from "vitest";
import { RKE2Config } from "@capstan/bootstrap-rke2-k3s/api";
import type { Machine } from "@capstan/kit/machines";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { RKE2ControlPlane } from "../api.ts";
import { rke2ControlPlane } from "../distribution/rke2.ts";
import { outdatedReasons } from "./outdated.ts";

const turtles = {
  "cluster-api.cattle.io/turtles-system-agent": "",
};
const own = { path: "/etc/motd", content: "hello" };
const injected = [
  "/etc/rancher/agent/connect-info-config.json",
  "/opt/system-agent-install.sh",
  "/etc/rancher/agent/config.yaml",
].map((path) => ({ path, content: "x" }));
const command = "sh /opt/system-agent-install.sh";

const reasons = (
  wanted: object,
  stored: { readonly spec: object; readonly annotations?: Readonly<Record<string, string>> },
): readonly string[] => {
  const object = {
    apiVersion: apiVersionOf(RKE2ControlPlane),
    kind: "RKE2ControlPlane",
    metadata: { name: "servers" },
    spec: wanted,
  } as unknown as RKE2ControlPlane;
  const config: KubeObject = {
    apiVersion: apiVersionOf(RKE2Config),
    kind: "RKE2Config",
    metadata: { name: "one", annotations: stored.annotations ?? {} },
    spec: stored.spec,
  };
  const machine = { metadata: { name: "one" } } as unknown as Machine;
  return outdatedReasons(rke2ControlPlane, object, { config, machine });
};

it.each([
  ["files that Rancher Turtles has added", {}, { files: injected }, turtles, false],
  ["the command that it has added", {}, { postRKE2Commands: [command] }, turtles, false],
  [
    "both with own ones",
    { files: [own], postRKE2Commands: ["date"] },
    { files: [own, ...injected], postRKE2Commands: ["date", command] },
    turtles,
    false,
  ],
  [
    "a file that only looks so",
    {},
    { files: [{ path: "/etc/rancher/agent/other.yaml", content: "x" }] },
    turtles,
    true,
  ],
  ["an own file that is gone", { files: [own] }, { files: injected }, turtles, true],
  ["the same files without the mark", {}, { files: injected }, {}, true],
])("%s", (_, wanted, spec, annotations, isOutdated) => {
  expect(reasons(wanted, { spec, annotations })).toEqual(isOutdated ? ["RKE2Config is not up-to-date"] : []);
});
