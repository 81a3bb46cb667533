import { Annotation } from "@capstan/contract";
import type { Condition } from "@capstan/contract/wire";
import type { Member } from "../../src/roles/control-plane/member.ts";

/** The beginning of time in the tables of cases. */
export const start = Date.UTC(2026, 0, 1);

const time = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

/** One Machine in a table of cases. */
export interface MemberCase {
  readonly name: string;
  /** Seconds after the start. Default 0. */
  readonly age?: number;
  readonly domain?: string;
  readonly version?: string;
  readonly outdated?: boolean;
  readonly broken?: boolean;
  readonly leaving?: boolean;
  readonly marked?: boolean;
  readonly node?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Statuses by type. */
  readonly says?: Readonly<Record<string, "True" | "False">>;
  readonly certificatesExpire?: number;
}

const conditionsOf = (says: MemberCase["says"] = {}): readonly Condition[] =>
  Object.entries(says).map(([type, status]) => ({
    type,
    status,
    reason: "Because",
    message: "",
    lastTransitionTime: time(0),
  }));

/** A member of a control plane, complete enough for a planner. */
export const member = (given: MemberCase): Member => {
  const { name, age = 0, domain, version = "v1.34.1" } = given;
  return {
    machine: {
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Machine",
      metadata: {
        name,
        namespace: "default",
        uid: `uid-${name}`,
        creationTimestamp: time(age),
        ...(given.leaving === true ? { deletionTimestamp: time(1000) } : {}),
        annotations: { ...given.annotations, ...(given.marked === true ? { [Annotation.deleteMachine]: "" } : {}) },
      },
      spec: {
        clusterName: "prod",
        version,
        bootstrap: {},
        infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "TestMachine", name },
        ...(domain === undefined ? {} : { failureDomain: domain }),
      },
      status: {
        conditions: conditionsOf(given.says),
        ...(given.node === false ? {} : { nodeRef: { name: `node-${name}` } }),
        ...(given.certificatesExpire === undefined ? {} : { certificatesExpiryDate: time(given.certificatesExpire) }),
      },
    },
    config: undefined,
    infrastructure: undefined,
    outdated: given.outdated === true ? ["Version v1.33.0, v1.34.1 required"] : [],
    broken: given.broken === true,
  };
};
