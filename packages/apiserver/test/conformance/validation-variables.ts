import type { ValidationCase } from "./validation-case.ts";
import { containing, env } from "./validation-objects.ts";

/** Environment variables: what a kube-apiserver says about new ones. */
export const variablesCases: readonly ValidationCase[] = [
  [
    "env: labels plain",
    ...env({ valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } }),
    ["NotSupported spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"],
  ],
  ["env: labels sub", ...env({ valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } }), []],
  [
    "env: labels sub bad",
    ...env({ valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.fieldRef"],
  ],
  [
    "env: labelsfoo",
    ...env({ valueFrom: { fieldRef: { fieldPath: "metadata.labelsfoo" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"],
  ],
  [
    "env: name sub",
    ...env({ valueFrom: { fieldRef: { fieldPath: "metadata.name['a']" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"],
  ],
  [
    "env: apiVersion bad",
    ...env({ valueFrom: { fieldRef: { apiVersion: "v2", fieldPath: "metadata.name" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"],
  ],
  ["env: spec.host", ...env({ valueFrom: { fieldRef: { fieldPath: "spec.host" } } }), []],
  [
    "env: fieldPath empty",
    ...env({ valueFrom: { fieldRef: { fieldPath: "" } } }),
    ["Required spec.containers[0].env[0].valueFrom.fieldRef.fieldPath"],
  ],
  [
    "env: res none",
    ...env({ valueFrom: { resourceFieldRef: { resource: "" } } }),
    ["Required spec.containers[0].env[0].valueFrom.resourceFieldRef.resource"],
  ],
  [
    "env: res bad",
    ...env({ valueFrom: { resourceFieldRef: { resource: "limits.foo" } } }),
    ["NotSupported spec.containers[0].env[0].valueFrom.resourceFieldRef.resource"],
  ],
  ["env: res ok", ...env({ valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } }), []],
  [
    "env: res divisor",
    ...env({ valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "2" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor"],
  ],
  [
    "env: res container",
    ...env({ valueFrom: { resourceFieldRef: { containerName: "x", resource: "limits.cpu" } } }),
    [],
  ],
  [
    "env: secret name empty",
    ...env({ valueFrom: { secretKeyRef: { key: "k" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.secretKeyRef.name"],
  ],
  [
    "env: cm name empty",
    ...env({ valueFrom: { configMapKeyRef: { key: "k" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.configMapKeyRef.name"],
  ],
  [
    "env: cm key ..",
    ...env({ valueFrom: { configMapKeyRef: { name: "c", key: ".." } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.configMapKeyRef.key"],
  ],
  [
    "env: cm key ..a",
    ...env({ valueFrom: { configMapKeyRef: { name: "c", key: "..a" } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.configMapKeyRef.key"],
  ],
  [
    "env: cm key .",
    ...env({ valueFrom: { configMapKeyRef: { name: "c", key: "." } } }),
    ["Invalid spec.containers[0].env[0].valueFrom.configMapKeyRef.key"],
  ],
  ["env: value empty and from", ...env({ value: "", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }), []],
  [
    "envFrom: name empty",
    ...containing({ envFrom: [{ configMapRef: {} }] }),
    ["Required spec.containers[0].envFrom[0].configMapRef.name"],
  ],
  [
    "envFrom: prefix bad",
    ...containing({ envFrom: [{ prefix: "a=b", configMapRef: { name: "a" } }] }),
    ["Invalid spec.containers[0].envFrom[0].prefix"],
  ],
  [
    "envFrom: secret name bad",
    ...containing({ envFrom: [{ secretRef: { name: "A_" } }] }),
    ["Invalid spec.containers[0].envFrom[0].secretRef.name"],
  ],
];
