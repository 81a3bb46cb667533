import type { ValidationCase } from "./validation-case.ts";
import { containing, dep, limitRange, pod, podSpec, quota, ss, tmpl } from "./validation-objects.ts";

/** More than a number holds exactly. */
const large = 10_000_000_000_000_000;
const readinessProbe = { exec: { command: ["a"] }, terminationGracePeriodSeconds: large };

/** Integers past those that numbers hold, and lists and objects in each other's place: what a kube-apiserver says about new ones. */
export const shapesCases: readonly ValidationCase[] = [
  ["large: deadline", ...pod({ activeDeadlineSeconds: large }), ["Invalid spec.activeDeadlineSeconds"]],
  [
    "large: grace of a probe",
    ...containing({ readinessProbe }),
    ["Invalid spec.containers[0].readinessProbe.terminationGracePeriodSeconds"],
  ],
  ["large: amount", ...quota({ hard: { memory: large } }), []],
  ["large: negative amount", ...quota({ hard: { memory: -large } }), ["Invalid spec.hard[memory]"]],
  ["shape: resources", ...containing({ resources: [] }), 400],
  ["shape: limits", ...containing({ resources: { limits: "2" } }), 400],
  ["shape: env", ...containing({ env: { A: "b" } }), 400],
  ["shape: null in place of a list", ...containing({ env: null }), []],
  ["shape: null among tolerations", ...pod({ tolerations: [null] }), ["Invalid spec.tolerations[0].operator"]],
  [
    "shape: null among containers",
    ...pod({ containers: [null] }),
    ["containers[0].name", "containers[0].image"].map((field) => `Required spec.${field}`),
  ],
  [
    "shape: null among owners",
    "/api/v1",
    "pods",
    { metadata: { ownerReferences: [null] }, spec: podSpec() },
    ["apiVersion", "kind", "name", "uid"].map((field) => `Invalid metadata.ownerReferences.${field}`),
  ],
  ["shape: null among subsets", "/api/v1", "endpoints", { subsets: [null] }, ["Required subsets[0]"]],
  ["shape: names in a StatefulSet", ...ss({ template: tmpl({ hostname: "A_b", subdomain: "c.d" }) }), []],
  [
    "shape: names in a Deployment",
    ...dep({ template: tmpl({ hostname: "A_b", subdomain: "c.d" }) }),
    ["Invalid spec.template.spec.hostname", "Invalid spec.template.spec.subdomain"],
  ],
  ["shape: quota", ...quota({ hard: [] }), 400],
  ["shape: limits of a range", ...limitRange({ type: "Container", max: [] }), 400],
  ["shape: strategy", ...ss({ updateStrategy: [] }), 400],
  ["shape: template", ...ss({ template: [] }), 400],
];
