import type { Resource } from "@capstan/schema";
import { casesOf, deploymentCases, type Fields, machineCases, older, setCases, type Told } from "./machine-requests.ts";
import { playedKinds, refTo } from "./played-kinds.ts";
import type { RequestCase } from "./requests.ts";
import { coreKinds } from "./stage.ts";

const long = (length: number): string => "x".repeat(length);

const selector = { matchLabels: { app: "a" } };
const limit = { type: "Ready", status: "Unknown", timeoutSeconds: 300 };
const checks = (more: Fields): Told => ({ spec: { checks: more } });
const trigger = (triggerIf: Fields): Told => ({ spec: { remediation: { triggerIf } } });

const checkCases = casesOf(
  coreKinds.check,
  {
    v1beta2: { clusterName: "prod", selector, checks: { unhealthyNodeConditions: [limit] } },
    v1beta1: {
      clusterName: "prod",
      selector,
      unhealthyConditions: [{ type: "Ready", status: "Unknown", timeout: "5m" }],
    },
  },
  {
    "a check": {},
    "no cluster": { spec: { clusterName: null } },
    "another cluster": { update: { clusterName: "other" } },
    "no selector": { spec: { selector: null } },
    "an empty selector": { spec: { selector: {} } },
    "an odd selector": { spec: { selector: { matchLabels: { "a b": "c" } } } },
    "a selector of another cluster": {
      spec: { selector: { matchLabels: { "cluster.x-k8s.io/cluster-name": "other" } } },
    },
    "no checks": { spec: { checks: null } },
    "empty checks": checks({}),
    "no conditions": checks({ unhealthyNodeConditions: [] }),
    "no time to start": checks({ nodeStartupTimeoutSeconds: 0 }),
    "a short time to start": checks({ nodeStartupTimeoutSeconds: 29 }),
    "a time to start": checks({ nodeStartupTimeoutSeconds: 30 }),
    "a time below zero": checks({ nodeStartupTimeoutSeconds: -1 }),
    "a condition without a status": checks({ unhealthyNodeConditions: [{ type: "Ready", timeoutSeconds: 1 }] }),
    "a condition of a Machine": checks({
      unhealthyMachineConditions: [{ type: "Mine", status: "False", timeoutSeconds: 1 }],
    }),
    "a condition that is made of this": checks({
      unhealthyMachineConditions: [{ type: "Ready", status: "False", timeoutSeconds: 1 }],
    }),
    "a limit": trigger({ unhealthyLessThanOrEqualTo: "40%" }),
    "a number": trigger({ unhealthyLessThanOrEqualTo: 3 }),
    "an odd limit": trigger({ unhealthyLessThanOrEqualTo: "many" }),
    "a range": trigger({ unhealthyInRange: "[1-3]" }),
    "a range the wrong way": trigger({ unhealthyInRange: "[3-1]" }),
    "an odd range": trigger({ unhealthyInRange: "1-3" }),
    "limit and range": trigger({ unhealthyInRange: "[1-3]", unhealthyLessThanOrEqualTo: 3 }),
    "an empty trigger": trigger({}),
    "a template": {
      spec: {
        remediation: {
          templateRef: {
            apiVersion: "infrastructure.cluster.x-k8s.io/v1",
            kind: "PlayedRemediationTemplate",
            name: "a",
          },
        },
      },
    },
    "a template of an odd version": {
      spec: { remediation: { templateRef: { apiVersion: "a/b/c", kind: "A", name: "a" } } },
    },
    "a template without a name": { spec: { remediation: { templateRef: { apiVersion: "a/v1", kind: "A" } } } },
    "the older version": { version: "v1beta1" },
    "the older version with everything": {
      version: "v1beta1",
      spec: {
        maxUnhealthy: "40%",
        unhealthyRange: "[1-3]",
        nodeStartupTimeout: "10m",
        remediationTemplate: { apiVersion: "a.example/v1", kind: "ATemplate", name: "a" },
      },
    },
    "the older version with a short time": { version: "v1beta1", spec: { nodeStartupTimeout: "5s" } },
  },
);

const network = (clusterNetwork: Fields): Told => ({ spec: { clusterNetwork } });

const clusterCases = casesOf(
  coreKinds.cluster,
  { v1beta2: { infrastructureRef: refTo(playedKinds.cluster, "a") }, v1beta1: { infrastructureRef: older.cluster } },
  {
    "a Cluster": {},
    nothing: { spec: { infrastructureRef: null } },
    "a control plane alone": {
      spec: { infrastructureRef: null, controlPlaneRef: refTo(playedKinds.controlPlane, "a") },
    },
    "an odd name": { metadata: { name: "a.b" } },
    "a long name": { metadata: { name: `a${"b".repeat(63)}` } },
    "a name that begins with a number": { metadata: { name: "1a" } },
    "infrastructure is taken away": {
      update: { infrastructureRef: null, controlPlaneRef: refTo(playedKinds.controlPlane, "a") },
    },
    "a control plane is taken away": {
      spec: { controlPlaneRef: refTo(playedKinds.controlPlane, "a") },
      update: { controlPlaneRef: null },
    },
    "another control plane": {
      spec: { controlPlaneRef: refTo(playedKinds.controlPlane, "a") },
      update: { controlPlaneRef: refTo(playedKinds.controlPlane, "b") },
    },
    "other infrastructure": { update: { infrastructureRef: refTo(playedKinds.cluster, "b") } },
    "an odd reference": { spec: { infrastructureRef: { apiGroup: "A", kind: "b c", name: "D" } } },
    paused: { spec: { paused: true } },
    "not paused": { spec: { paused: false } },
    networks: network({
      apiServerPort: 6443,
      pods: { cidrBlocks: ["10.0.0.0/16", "fd00::/64"] },
      services: { cidrBlocks: ["10.96.0.0/12"] },
      serviceDomain: "cluster.local",
    }),
    "an empty network": network({}),
    "no pods": network({ pods: { cidrBlocks: [] } }),
    "odd pods": network({ pods: { cidrBlocks: ["10.0.0.0"] } }),
    "odd services": network({ services: { cidrBlocks: ["a/8", "10.0.0.0/40"] } }),
    "an odd port": network({ apiServerPort: 65_536 }),
    "an odd domain": network({ serviceDomain: long(254) }),
    "an endpoint": { spec: { controlPlaneEndpoint: { host: "a.example", port: 6443 } } },
    "half an endpoint": { spec: { controlPlaneEndpoint: { host: "a.example" } } },
    "an empty endpoint": { spec: { controlPlaneEndpoint: {} } },
    "another endpoint": {
      spec: { controlPlaneEndpoint: { host: "a", port: 1 } },
      update: { controlPlaneEndpoint: { host: "b", port: 2 } },
    },
    gates: { spec: { availabilityGates: [{ conditionType: "A" }, { conditionType: "B", polarity: "Negative" }] } },
    "no gates": { spec: { availabilityGates: [] } },
    "a topology": { spec: { topology: { classRef: { name: "a" }, version: "v1.33.4" } } },
    "the older version": { version: "v1beta1" },
    "the older version with everything": {
      version: "v1beta1",
      spec: {
        paused: true,
        clusterNetwork: { apiServerPort: 6443, pods: { cidrBlocks: ["10.0.0.0/16"] }, serviceDomain: "cluster.local" },
        controlPlaneEndpoint: { host: "a", port: 1 },
        availabilityGates: [{ conditionType: "A" }],
      },
    },
    "the older version with an empty endpoint": {
      version: "v1beta1",
      spec: { controlPlaneEndpoint: { host: "", port: 0 } },
    },
    "the older version with odd pods": {
      version: "v1beta1",
      spec: { clusterNetwork: { pods: { cidrBlocks: ["10.0.0.0"] } } },
    },
  },
);

/** What is asked of each kind, and what comes of it, is compared. */
export const coreRequests: readonly { readonly kind: Resource; readonly cases: readonly RequestCase[] }[] = [
  { kind: coreKinds.cluster, cases: clusterCases },
  { kind: coreKinds.machine, cases: machineCases },
  { kind: coreKinds.set, cases: setCases },
  { kind: coreKinds.deployment, cases: deploymentCases },
  { kind: coreKinds.check, cases: checkCases },
];
