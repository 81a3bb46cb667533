import { Group } from "@capstan/contract";
import { type Resource, resource } from "@capstan/schema";
import { KubeadmControlPlane } from "../objects.ts";
import { casesOf, type Fields, older, type Told } from "./machine-requests.ts";
import { playedKinds, refTo } from "./played-kinds.ts";
import type { RequestCase } from "./requests.ts";

const KubeadmControlPlaneTemplate = resource({
  group: Group.controlPlane,
  version: "v1beta2",
  kind: "KubeadmControlPlaneTemplate",
  plural: "kubeadmcontrolplanetemplates",
});

const infrastructureRef = refTo(playedKinds.machineTemplate, "a");
const whole = {
  version: "v1.34.0",
  machineTemplate: { spec: { infrastructureRef } },
  kubeadmConfigSpec: { format: "cloud-config" },
};
const olderWhole = {
  version: "v1.34.0",
  machineTemplate: { infrastructureRef: older.machineTemplate },
  kubeadmConfigSpec: { format: "cloud-config" },
};
const external = { endpoints: ["https://etcd"], caFile: "/ca", certFile: "/crt", keyFile: "/key" };

const format = "cloud-config";
const config = (more: Fields): Told => ({ spec: { kubeadmConfigSpec: { format, ...more } } });
const clusterConfig = (clusterConfiguration: Fields): Told => config({ clusterConfiguration });
const configUpdate = (before: Fields, after: Fields): Told => ({
  ...config(before),
  update: { kubeadmConfigSpec: { format, ...after } },
});
const clusterConfigUpdate = (before: Fields, after: Fields): Told =>
  configUpdate({ clusterConfiguration: before }, { clusterConfiguration: after });
const machine = (more: Fields): Told => ({ spec: { machineTemplate: { spec: { infrastructureRef, ...more } } } });
const named = (template: string): Told => ({ spec: { machineNaming: { template } } });
const rollout = (more: Fields): Told => ({ spec: { rollout: more } });
const surge = (maxSurge: unknown, replicas = 3): Told => ({
  spec: { replicas, rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge } } } },
});
const remediation = (more: Fields): Told => ({ spec: { remediation: more } });

const cases = casesOf(
  KubeadmControlPlane,
  { v1beta2: whole, v1beta1: olderWhole },
  {
    "a control plane": {},
    "three replicas": { spec: { replicas: 3 } },
    "two replicas": { spec: { replicas: 2 } },
    "no replica": { spec: { replicas: 0 } },
    "replicas below zero": { spec: { replicas: -1 } },
    "two replicas with an external etcd": {
      spec: { replicas: 2, kubeadmConfigSpec: { clusterConfiguration: { etcd: { external } } } },
    },
    "more replicas": { spec: { replicas: 1 }, update: { replicas: 5 } },
    "an even number later": { spec: { replicas: 3 }, update: { replicas: 4 } },
    "none later": { spec: { replicas: 3 }, update: { replicas: 0 } },
    "no version": { spec: { version: null } },
    "an empty version": { spec: { version: "" } },
    "a version without a v": { spec: { version: "1.34.0" } },
    "a version of two parts": { spec: { version: "v1.34" } },
    "a version that is none": { spec: { version: "latest" } },
    "a version with a build": { spec: { version: "v1.34.0+build.1" } },
    "a candidate": { spec: { version: "v1.34.0-rc.1" } },
    "the next minor": { update: { version: "v1.35.0" } },
    "a patch": { update: { version: "v1.34.3" } },
    "a minor is left out": { update: { version: "v1.36.0" } },
    "an older patch": { spec: { version: "v1.34.3" }, update: { version: "v1.34.0" } },
    "an older minor": { update: { version: "v1.33.9" } },
    "a major": { update: { version: "v2.0.0" } },
    "no template of machines": { spec: { machineTemplate: null } },
    "no infrastructure": { spec: { machineTemplate: { spec: {} } } },
    "infrastructure without a name": machine({ infrastructureRef: { ...infrastructureRef, name: "" } }),
    "infrastructure of an odd group": machine({ infrastructureRef: { ...infrastructureRef, apiGroup: "A_b" } }),
    "other infrastructure": {
      update: { machineTemplate: { spec: { infrastructureRef: { ...infrastructureRef, name: "b" } } } },
    },
    "labels of machines": {
      spec: { machineTemplate: { metadata: { labels: { a: "b" } }, spec: { infrastructureRef } } },
    },
    "odd labels of machines": {
      spec: { machineTemplate: { metadata: { labels: { "a b": "c", d: "e f" } }, spec: { infrastructureRef } } },
    },
    "odd annotations of machines": {
      spec: { machineTemplate: { metadata: { annotations: { "a b": "c" } }, spec: { infrastructureRef } } },
    },
    timeouts: machine({ deletion: { nodeDrainTimeoutSeconds: 1, nodeDeletionTimeoutSeconds: 3 } }),
    "a timeout below zero": machine({ deletion: { nodeDrainTimeoutSeconds: -1 } }),
    "an empty deletion": machine({ deletion: {} }),
    gates: machine({ readinessGates: [{ conditionType: "A" }] }),
    "no gates": machine({ readinessGates: [] }),
    "a gate twice": machine({ readinessGates: [{ conditionType: "A" }, { conditionType: "A" }] }),
    "a name": named("{{ .kubeadmControlPlane.name }}-{{ .random }}"),
    "a name of the cluster": named("{{ .cluster.name }}-{{ .random }}"),
    "a name without chance": named("{{ .kubeadmControlPlane.name }}"),
    "a name with an odd variable": named("{{ .machine.name }}-{{ .random }}"),
    "a name that is none": named("A_b-{{ .random }}"),
    "a name that does not end": named("{{ .random"),
    "an empty name": named(""),
    "no surge": surge(0),
    "one as surge": surge(1),
    "two as surge": surge(2),
    "a surge of percent": surge("50%"),
    "a surge below zero": surge(-1),
    "no surge of one": surge(0, 1),
    "an odd strategy": rollout({ strategy: { type: "Recreate" } }),
    "a strategy without a type": rollout({ strategy: { rollingUpdate: { maxSurge: 1 } } }),
    "an empty rollout": rollout({}),
    "a rollout after": rollout({ after: "2030-01-01T00:00:00Z" }),
    "a rollout after an odd time": rollout({ after: "tomorrow" }),
    "a rollout before": rollout({ before: { certificatesExpiryDays: 21 } }),
    "a rollout too late": rollout({ before: { certificatesExpiryDays: 6 } }),
    "an empty rollout before": rollout({ before: {} }),
    "a remediation": remediation({ maxRetry: 3, retryPeriodSeconds: 60, minHealthyPeriodSeconds: 600 }),
    "an empty remediation": remediation({}),
    "a remediation below zero": remediation({ retryPeriodSeconds: -1 }),
    "no config": { spec: { kubeadmConfigSpec: null } },
    "an empty cluster configuration": clusterConfig({}),
    "a local etcd": clusterConfig({ etcd: { local: { dataDir: "/etcd" } } }),
    "both kinds of etcd": clusterConfig({ etcd: { local: { dataDir: "/etcd" }, external } }),
    "an empty etcd": clusterConfig({ etcd: {} }),
    "an external etcd without endpoints": clusterConfig({ etcd: { external: { ...external, endpoints: [] } } }),
    "an external etcd later": clusterConfigUpdate({ etcd: { local: { dataDir: "/a" } } }, { etcd: { external } }),
    "a local etcd later": clusterConfigUpdate({ etcd: { external } }, { etcd: { local: { dataDir: "/a" } } }),
    "another image of etcd": clusterConfigUpdate(
      { etcd: { local: { imageTag: "3.5.0" } } },
      { etcd: { local: { imageTag: "3.6.0" } } },
    ),
    "another folder of etcd": clusterConfigUpdate(
      { etcd: { local: { dataDir: "/a" } } },
      { etcd: { local: { dataDir: "/b" } } },
    ),
    "another image of DNS": clusterConfigUpdate({ dns: { imageTag: "v1.11.0" } }, { dns: { imageTag: "v1.12.0" } }),
    "an older image of DNS": clusterConfigUpdate({ dns: { imageTag: "v1.12.0" } }, { dns: { imageTag: "v1.11.0" } }),
    "an odd image of DNS": clusterConfig({ dns: { imageTag: "latest" } }),
    "other arguments": clusterConfigUpdate(
      { apiServer: { extraArgs: [{ name: "v", value: "1" }] } },
      { apiServer: { extraArgs: [{ name: "v", value: "2" }] } },
    ),
    "other names of the certificate": clusterConfigUpdate(
      { apiServer: { certSANs: ["a"] } },
      { apiServer: { certSANs: ["b"] } },
    ),
    "another folder of certificates": clusterConfigUpdate({ certificatesDir: "/a" }, { certificatesDir: "/b" }),
    "another registry": clusterConfigUpdate({ imageRepository: "a.example" }, { imageRepository: "b.example" }),
    "other gates of features": clusterConfigUpdate({ featureGates: { A: true } }, { featureGates: { A: false } }),
    "an endpoint in the configuration": clusterConfig({ controlPlaneEndpoint: "a:6443" }),
    "another endpoint in the configuration": clusterConfigUpdate(
      { controlPlaneEndpoint: "a:6443" },
      { controlPlaneEndpoint: "b:6443" },
    ),
    "a validity of certificates": clusterConfig({ certificateValidityPeriodDays: 100 }),
    "a validity of an authority": clusterConfig({
      certificateValidityPeriodDays: 100,
      caCertificateValidityPeriodDays: 10,
    }),
    "an algorithm": clusterConfig({ encryptionAlgorithm: "ECDSA-P256" }),
    "an odd algorithm": clusterConfig({ encryptionAlgorithm: "RSA-1" }),
    "another algorithm": clusterConfigUpdate(
      { encryptionAlgorithm: "ECDSA-P256" },
      { encryptionAlgorithm: "RSA-2048" },
    ),
    "an argument twice": clusterConfig({
      apiServer: {
        extraArgs: [
          { name: "a", value: "1" },
          { name: "a", value: "2" },
        ],
      },
    }),
    "an argument without a name": clusterConfig({ apiServer: { extraArgs: [{ value: "1" }] } }),
    "a volume": clusterConfig({ apiServer: { extraVolumes: [{ name: "a", hostPath: "/a", mountPath: "/a" }] } }),
    "a volume without a path": clusterConfig({ apiServer: { extraVolumes: [{ name: "a" }] } }),
    "other names of Nodes": configUpdate(
      { initConfiguration: { nodeRegistration: { name: "a" } } },
      { initConfiguration: { nodeRegistration: { name: "b" } } },
    ),
    "another port": configUpdate(
      { initConfiguration: { localAPIEndpoint: { bindPort: 6443 } } },
      { initConfiguration: { localAPIEndpoint: { bindPort: 7443 } } },
    ),
    "another token": configUpdate(
      { initConfiguration: { bootstrapTokens: [{ token: "abcdef.0123456789abcdef" }] } },
      { initConfiguration: { bootstrapTokens: [{ token: "abcdef.0123456789abcdee" }] } },
    ),
    "an odd token": config({ initConfiguration: { bootstrapTokens: [{ token: "a" }] } }),
    "phases that are left out": config({ initConfiguration: { skipPhases: ["addon/kube-proxy"] } }),
    patches: config({ initConfiguration: { patches: { directory: "/p" } } }),
    "timeouts of kubeadm": config({
      initConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 300 } },
      joinConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 300 } },
    }),
    "timeouts of kubeadm that differ": config({
      initConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 300 } },
      joinConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 600 } },
    }),
    "a configuration of joining": configUpdate(
      {},
      { joinConfiguration: { nodeRegistration: { kubeletExtraArgs: [{ name: "v", value: "4" }] } } },
    ),
    "another discovery": configUpdate({}, { joinConfiguration: { discovery: { file: { kubeConfigPath: "/a" } } } }),
    files: config({ files: [{ path: "/a", content: "b" }] }),
    "a file without a path": config({ files: [{ content: "b" }] }),
    "a file twice": config({
      files: [
        { path: "/a", content: "b" },
        { path: "/a", content: "c" },
      ],
    }),
    "a file from a Secret": config({ files: [{ path: "/a", contentFrom: { secret: { name: "s", key: "k" } } }] }),
    "a file with both contents": config({
      files: [{ path: "/a", content: "b", contentFrom: { secret: { name: "s", key: "k" } } }],
    }),
    "other files": configUpdate({ files: [{ path: "/a", content: "b" }] }, { files: [{ path: "/b", content: "b" }] }),
    "other commands": configUpdate({}, { preKubeadmCommands: ["a"], postKubeadmCommands: ["b"], bootCommands: ["c"] }),
    "other users": configUpdate({}, { users: [{ name: "a" }] }),
    "a user with both passwords": config({
      users: [{ name: "a", passwd: "b", passwdFrom: { secret: { name: "s", key: "k" } } }],
    }),
    "other mounts": configUpdate({}, { mounts: [["/dev/a", "/a"]] }),
    "other disks": configUpdate(
      {},
      { diskSetup: { filesystems: [{ device: "/dev/a", filesystem: "ext4", label: "a" }] } },
    ),
    "other time servers": configUpdate({}, { ntp: { enabled: true, servers: ["a"] } }),
    "another format": configUpdate({}, { format: "ignition" }),
    "an empty config": { spec: { kubeadmConfigSpec: {} } },
    "an odd format": config({ format: "toml" }),
    verbosity: configUpdate({}, { verbosity: 4 }),
    "the older version": { version: "v1beta1" },
    "the older version with everything": {
      version: "v1beta1",
      spec: {
        replicas: 3,
        rolloutBefore: { certificatesExpiryDays: 21 },
        rolloutAfter: "2030-01-01T00:00:00Z",
        rolloutStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0 } },
        remediationStrategy: { maxRetry: 2, retryPeriod: "1m", minHealthyPeriod: "10m" },
        machineNamingStrategy: { template: "{{ .kubeadmControlPlane.name }}-{{ .random }}" },
        machineTemplate: {
          metadata: { labels: { a: "b" } },
          infrastructureRef: older.machineTemplate,
          nodeDrainTimeout: "1m",
          nodeVolumeDetachTimeout: "2m",
          nodeDeletionTimeout: "3m",
        },
        kubeadmConfigSpec: {
          clusterConfiguration: { apiServer: { extraArgs: { v: "1" }, timeoutForControlPlane: "5m" } },
          useExperimentalRetryJoin: true,
        },
      },
    },
    "the older version with an even number": { version: "v1beta1", spec: { replicas: 2 } },
    "the older version with an odd duration": {
      version: "v1beta1",
      spec: { machineTemplate: { infrastructureRef: older.machineTemplate, nodeDrainTimeout: "soon" } },
    },
  },
);

const template = (spec: Fields): Told => ({ spec: { template: { spec } } });

const templateCases = casesOf(
  KubeadmControlPlaneTemplate,
  {
    v1beta2: { template: { spec: { kubeadmConfigSpec: { format: "cloud-config" } } } },
    v1beta1: { template: { spec: { kubeadmConfigSpec: { format: "cloud-config" } } } },
  },
  {
    "a template": {},
    "no template": { spec: { template: null } },
    "no spec": { spec: { template: {} } },
    "no config": template({}),
    labels: {
      spec: { template: { metadata: { labels: { a: "b" } }, spec: { kubeadmConfigSpec: { format: "cloud-config" } } } },
    },
    "odd labels": {
      spec: {
        template: { metadata: { labels: { "a b": "c" } }, spec: { kubeadmConfigSpec: { format: "cloud-config" } } },
      },
    },
    "another config": {
      update: { template: { spec: { kubeadmConfigSpec: { format, verbosity: 4 } } } },
    },
    "two as surge": template({
      kubeadmConfigSpec: { format: "cloud-config" },
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 2 } } },
    }),
    "a strategy without a surge": template({
      kubeadmConfigSpec: { format: "cloud-config" },
      rollout: { strategy: { type: "RollingUpdate" } },
    }),
    "the default strategy": {
      ...template({
        kubeadmConfigSpec: { format: "cloud-config" },
        rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
      }),
      update: { template: { spec: { kubeadmConfigSpec: { format: "cloud-config" } } } },
    },
    "no surge": template({
      kubeadmConfigSpec: { format: "cloud-config" },
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0 } } },
    }),
    "a name": template({
      kubeadmConfigSpec: { format: "cloud-config" },
      machineNaming: { template: "{{ .cluster.name }}-{{ .random }}" },
    }),
    "a name without chance": template({
      kubeadmConfigSpec: { format: "cloud-config" },
      machineNaming: { template: "a" },
    }),
    timeouts: template({
      kubeadmConfigSpec: { format: "cloud-config" },
      machineTemplate: { spec: { deletion: { nodeDrainTimeoutSeconds: 1 } } },
    }),
    "the older version": { version: "v1beta1" },
  },
);

/** What is asked of the kinds of the control plane provider, and what comes of it, is compared. */
export const controlPlaneRequests: readonly { readonly kind: Resource; readonly cases: readonly RequestCase[] }[] = [
  { kind: KubeadmControlPlane, cases },
  { kind: KubeadmControlPlaneTemplate, cases: templateCases },
];
