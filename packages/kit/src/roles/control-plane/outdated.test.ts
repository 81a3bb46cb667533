import { Annotation } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import type { MemberCase } from "../../../test/control-plane/members.ts";
import { member, start } from "../../../test/control-plane/members.ts";
import type { DesiredControlPlane } from "./author.ts";
import { outdatedReasons } from "./outdated.ts";

const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "TestMachineTemplate", name: "t" };
const wanted: DesiredControlPlane = { replicas: 3, version: "v1.34.1", infrastructureRef };
const day = 86_400;

const clone = (name?: string, groupKind = "TestMachineTemplate.infrastructure.cluster.x-k8s.io"): KubeObject => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1",
  kind: "TestMachine",
  metadata: {
    annotations:
      name === undefined ? {} : { [Annotation.clonedFromName]: name, [Annotation.clonedFromGroupKind]: groupKind },
  },
});
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

it.each<[string, Partial<MemberCase>, Partial<DesiredControlPlane>, KubeObject | undefined, readonly string[]]>([
  ["all as it should be", {}, {}, clone("t"), []],
  ["another version", { version: "v1.33.0" }, {}, clone("t"), ["Version v1.33.0, v1.34.1 required"]],
  ["no version wanted any more", {}, { version: undefined }, clone("t"), ["Version v1.34.1, (unset) required"]],
  ["another template", {}, {}, clone("u"), ["TestMachine is not up-to-date"]],
  ["a template of another kind", {}, {}, clone("t", "Other.example"), ["TestMachine is not up-to-date"]],
  ["an infrastructure machine of unknown origin", {}, {}, clone(), []],
  ["no infrastructure machine", {}, {}, undefined, []],
  ["a rollout that is over", { age: 10 }, { rollout: { after: at(5) } }, undefined, []],
  ["a rollout of today", {}, { rollout: { after: at(5) } }, undefined, ["Plain spec.rollout.after expired"]],
  ["a rollout of tomorrow", {}, { rollout: { after: at(day) } }, undefined, []],
  [
    "certificates that end soon",
    { age: -5 * day, certificatesExpire: 9 * day },
    { rollout: { before: { certificatesExpiryDays: 10 } } },
    undefined,
    [`Certificates expire in less than 10 days, at ${at(9 * day)}`],
  ],
  [
    "certificates that never lasted longer",
    { age: -day, certificatesExpire: 9 * day },
    { rollout: { before: { certificatesExpiryDays: 10 } } },
    undefined,
    [],
  ],
  [
    "certificates that last",
    { certificatesExpire: 11 * day },
    { rollout: { before: { certificatesExpiryDays: 10 } } },
    undefined,
    [],
  ],
  ["certificates of unknown age", {}, { rollout: { before: { certificatesExpiryDays: 10 } } }, undefined, []],
])("%s", (_, given, desired, infrastructure, expected) => {
  const { machine } = member({ name: "a", ...given });
  const about = { kind: "Plain", desired: { ...wanted, ...desired } };
  expect(outdatedReasons(machine, infrastructure, about, start + 60_000)).toEqual(expected);
});
