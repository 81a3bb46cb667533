import type { KubeadmConfigSpec } from "../src/spec.ts";
import type { MachineInput } from "./machine-scene.ts";

/** What machines are, by what kubeadm is to do there. */
export const roles = {
  init: { controlPlane: true },
  "control plane that joins": { controlPlane: true, initialized: true },
  worker: { initialized: true },
} as const;
export type Role = keyof typeof roles;
export const everyRole = Object.keys(roles) as readonly Role[];

const clusterWith = (
  pods: readonly string[],
  services: readonly string[],
  host: string,
  serviceDomain = "cluster.local",
) => ({
  controlPlaneEndpoint: { host, port: 6443 },
  clusterNetwork: { pods: { cidrBlocks: pods }, services: { cidrBlocks: services }, serviceDomain },
});

const oddValues = [
  "",
  " ",
  "true",
  "no",
  "null",
  "~",
  "1e3",
  "0x1f",
  "0640",
  "1:30",
  "a=b,c=d",
  "a: b",
  "# no comment",
  "'",
  '"',
  "\\n",
  "- a",
  "[a",
  "*a",
  "&a",
  "!a",
  "%a",
  "@a",
  "`a`",
  "|",
  ">",
  "{a",
  "${A}",
  "$(a)",
  "ä€😀",
  "tab\there",
  "x".repeat(1024),
] as const;
const oddArgs = oddValues.map((value, index) => ({ name: `odd-${index}`, value }));
const oddNames = ["on", "null", "1", "v", "a.b/c", "~", "1e3"].map((name) => ({ name, value: "x" }));
/** Arguments that YAML or a shell could take for something else. */
export const oddArguments = [...oddArgs, ...oddNames];

const registration = (nodeRegistration: object): KubeadmConfigSpec => ({
  initConfiguration: { nodeRegistration },
  joinConfiguration: { nodeRegistration },
});
const both = (configuration: object): KubeadmConfigSpec => ({
  initConfiguration: configuration,
  joinConfiguration: configuration,
});
const cluster = (clusterConfiguration: object): KubeadmConfigSpec => ({ clusterConfiguration });
const discovery = (of: object): KubeadmConfigSpec => ({ joinConfiguration: { discovery: of } });

/** A spec that is unusual, in a Cluster that may be so too. */
export interface OddSpec {
  readonly spec?: KubeadmConfigSpec;
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly roles?: readonly Role[];
  readonly secrets?: MachineInput["secrets"];
}

const hash = `sha256:${"a".repeat(64)}`;
const external = { caFile: "/etc/e/ca.crt", certFile: "/etc/e/c.crt", keyFile: "/etc/e/c.key" };

/** What admission and kubeadm take. */
export const oddSpecs: Readonly<Record<string, OddSpec>> = {
  nothing: {},
  "two families of addresses": {
    cluster: clusterWith(["10.40.0.0/16", "fd00:40::/56"], ["10.41.0.0/20", "fd00:41::/112"], "203.0.113.40"),
    spec: both({
      nodeRegistration: { kubeletExtraArgs: [{ name: "node-ip", value: "203.0.113.10,fd00::10" }] },
    }),
  },
  "two families, IPv6 first": {
    cluster: clusterWith(["fd00:40::/56", "10.40.0.0/16"], ["fd00:41::/112", "10.41.0.0/20"], "fd00::40"),
    spec: { initConfiguration: { localAPIEndpoint: { advertiseAddress: "fd00::10" } } },
  },
  "IPv6 alone": {
    cluster: clusterWith(["fd00:40::/56"], ["fd00:41::/112"], "fd00::40"),
    spec: {
      clusterConfiguration: { apiServer: { certSANs: ["fd00::40", "::1", "*.orchid.example"] } },
      initConfiguration: { localAPIEndpoint: { advertiseAddress: "fd00::10", bindPort: 1 } },
      joinConfiguration: { nodeRegistration: { kubeletExtraArgs: [{ name: "node-ip", value: "::" }] } },
    },
  },
  "a Cluster without networks": { cluster: { clusterNetwork: undefined } },
  "an endpoint by name, and a long domain": {
    cluster: clusterWith(
      ["10.40.0.0/16"],
      ["10.41.0.0/20"],
      "api.orchid.example",
      "a.very.long.domain.of.an-orchid.example",
    ),
  },
  "an endpoint of the user": { spec: cluster({ controlPlaneEndpoint: "other.example:443" }) },
  "an external etcd": {
    spec: cluster({
      etcd: { external: { ...external, endpoints: ["https://192.0.2.5:2379", "https://[fd00::5]:2379"] } },
    }),
    secrets: { "orchid-apiserver-etcd-client": { "tls.crt": "$certificate", "tls.key": "key" } },
  },
  "an etcd with everything": {
    spec: cluster({
      etcd: {
        local: {
          dataDir: "/srv/etcd",
          extraArgs: oddArguments,
          serverCertSANs: ["a.example", "fd00::1"],
          peerCertSANs: ["192.0.2.1"],
          imageRepository: "registry.example:5000/etcd",
          imageTag: "3.6.0-0",
          extraEnvs: [
            { name: "A", value: "" },
            { name: "B", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
          ],
        },
      },
    }),
  },
  "an etcd of which only a tag is said": { spec: cluster({ etcd: { local: { imageTag: "3.6.0-0" } } }) },
  "arguments of every kind": {
    spec: {
      clusterConfiguration: {
        apiServer: { extraArgs: oddArguments },
        controllerManager: { extraArgs: oddArguments },
        scheduler: { extraArgs: oddArguments },
      },
      ...registration({ kubeletExtraArgs: oddArguments }),
    },
  },
  "volumes and variables": {
    spec: cluster({
      apiServer: {
        extraVolumes: [
          { name: "a", hostPath: "/a: b", mountPath: "/b", readOnly: true, pathType: "FileOrCreate" },
          { name: "b", hostPath: "/c", mountPath: "/d", readOnly: false },
        ],
        extraEnvs: [
          { name: "A", value: "a: b" },
          { name: "B", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } } },
          { name: "C", valueFrom: { secretKeyRef: { name: "s", key: "k", optional: true } } },
          { name: "D", valueFrom: { fileKeyRef: { volumeName: "v", path: "p", key: "k" } } },
        ],
      },
      controllerManager: { extraVolumes: [{ name: "c", hostPath: "/e", mountPath: "/f", pathType: "Socket" }] },
    }),
  },
  "images of others": {
    spec: cluster({
      imageRepository: "registry.example:5000/k8s",
      dns: { imageRepository: "registry.example/dns", imageTag: "v1.12.0_a" },
    }),
  },
  "gates of kubeadm": { spec: cluster({ featureGates: { NodeLocalCRISocket: false, RootlessControlPlane: true } }) },
  "no gates at all": { spec: cluster({ featureGates: {} }) },
  ...Object.fromEntries(
    ["ECDSA-P256", "ECDSA-P384", "RSA-2048", "RSA-3072", "RSA-4096"].map((encryptionAlgorithm) => [
      `keys of ${encryptionAlgorithm}`,
      { spec: cluster({ encryptionAlgorithm }), roles: ["init"] as const },
    ]),
  ),
  "the shortest certificates": {
    spec: cluster({ certificateValidityPeriodDays: 1, caCertificateValidityPeriodDays: 1 }),
  },
  "the longest certificates, elsewhere": {
    spec: cluster({
      certificateValidityPeriodDays: 1095,
      caCertificateValidityPeriodDays: 36_500,
      certificatesDir: "/srv/a b/pki",
    }),
  },
  "phases left out, and patches": {
    spec: both({ skipPhases: ["preflight", "addon/kube-proxy"], patches: { directory: "/etc/kubernetes/patches" } }),
  },
  "no time at all": {
    spec: both({
      timeouts: {
        controlPlaneComponentHealthCheckSeconds: 0,
        kubeletHealthCheckSeconds: 0,
        kubernetesAPICallSeconds: 0,
        etcdAPICallSeconds: 0,
        tlsBootstrapSeconds: 0,
        discoverySeconds: 0,
      },
    }),
  },
  "all the time there is": {
    spec: both({
      timeouts: {
        controlPlaneComponentHealthCheckSeconds: 2_147_483_647,
        kubeletHealthCheckSeconds: 86_399,
        kubernetesAPICallSeconds: 59,
        etcdAPICallSeconds: 60,
        tlsBootstrapSeconds: 3601,
        discoverySeconds: 2_147_483_647,
      },
    }),
  },
  "one timeout": { spec: both({ timeouts: { discoverySeconds: 1 } }) },
  "no taints, said so": { spec: registration({ taints: [] }) },
  "taints of every kind": {
    spec: registration({
      taints: [
        { key: "a.example/b", effect: "NoSchedule" },
        { key: "a", value: "", effect: "NoExecute", timeAdded: "2026-01-02T03:04:05Z" },
        { key: "a", value: "true", effect: "PreferNoSchedule" },
        { key: "node-role.kubernetes.io/control-plane", value: "1", effect: "NoSchedule" },
      ],
    }),
  },
  "a Node with everything": {
    spec: registration({
      name: "m.orchid.example",
      criSocket: "unix:///run/containerd/containerd.sock",
      imagePullPolicy: "Always",
      imagePullSerial: false,
      ignorePreflightErrors: ["Swap", "NumCPU"],
    }),
  },
  "a socket without a scheme, all checks left out": {
    spec: registration({ criSocket: "/run/containerd/containerd.sock", ignorePreflightErrors: ["all"] }),
  },
  "a name from the machine's metadata": { spec: registration({ name: "{{ ds.meta_data.local_hostname }}" }) },
  "tokens by hand": {
    spec: {
      initConfiguration: {
        bootstrapTokens: [
          { token: "abcdef.0123456789abcdef", description: 'for "ever": #1', ttlSeconds: 0 },
          { token: "abcdee.0123456789abcdef", usages: ["authentication"] },
          {
            token: "abcded.0123456789abcdef",
            ttlSeconds: 2_147_483_647,
            usages: ["authentication", "signing"],
            groups: ["system:bootstrappers:x", "system:bootstrappers:kubeadm:default-node-token"],
          },
        ],
      },
    },
    roles: ["init"],
  },
  "a token by hand, any authority": {
    spec: discovery({ bootstrapToken: { token: "abcdef.0123456789abcdef", unsafeSkipCAVerification: true } }),
  },
  "an endpoint of its own, two authorities": {
    spec: discovery({
      bootstrapToken: { apiServerEndpoint: "[fd00::7]:6443", caCertHashes: [hash, hash.replaceAll("a", "b")] },
      tlsBootstrapToken: "abcdef.0123456789abcdef",
    }),
  },
  "discovery by an address": {
    spec: discovery({
      file: { kubeConfigPath: "https://192.0.2.8/discovery.conf" },
      tlsBootstrapToken: "abcdef.0123456789abcdef",
    }),
  },
  "a file of an authority": {
    spec: { joinConfiguration: { caCertPath: "/etc/kubernetes/pki/other.crt" } },
    roles: ["worker"],
  },
  "an API server of its own": {
    spec: {
      joinConfiguration: { controlPlane: { localAPIEndpoint: { advertiseAddress: "192.0.2.10", bindPort: 65_535 } } },
    },
    roles: ["control plane that joins"],
  },
};

/** A spec that kubeadm refuses for what stands at one field. */
export interface RefusedSpec {
  readonly field: string;
  readonly value: unknown;
  readonly role: Role;
}

const refusedOf = (role: Role, fields: Readonly<Record<string, readonly unknown[]>>): readonly RefusedSpec[] =>
  Object.entries(fields).flatMap(([field, values]) => values.map((value) => ({ field, value, role })));

const token = "abcdef.0123456789abcdef";
const externalEtcd = { endpoints: ["https://192.0.2.5:2379"], ...external };

/** What the schema takes and kubeadm refuses, by the field that is to blame, below the spec; the value stands at the field or around it. */
export const refusedSpecs: readonly RefusedSpec[] = [
  ...refusedOf("init", {
    "initConfiguration.bootstrapTokens[0].expires": [[{ token, expires: "2030-01-01T00:00:00Z" }]],
    "initConfiguration.bootstrapTokens[0].usages": [
      [{ token, usages: ["signing"] }],
      [{ token, usages: ["authentication", "x"] }],
    ],
    "initConfiguration.bootstrapTokens[0].groups[0]": [[{ token, groups: ["nodes"] }]],
    "initConfiguration.localAPIEndpoint.advertiseAddress": ["host.example", "192.0.2.256"],
    "initConfiguration.localAPIEndpoint.bindPort": [65_536],
    "initConfiguration.nodeRegistration.name": ["a_b", "a."],
    "clusterConfiguration.certificatesDir": ["pki"],
    "clusterConfiguration.etcd.local.dataDir": ["./data"],
    "clusterConfiguration.etcd.local.serverCertSANs[0]": [["a_b"]],
    "clusterConfiguration.etcd.local.peerCertSANs[0]": [["https://a"]],
    "clusterConfiguration.apiServer.certSANs[0]": [["a b"], ["*"]],
    "clusterConfiguration.etcd.external.endpoints[0]": [
      { ...externalEtcd, endpoints: ["http://192.0.2.5:2379"] },
      { ...externalEtcd, endpoints: ["192.0.2.5:2379"] },
    ],
    "clusterConfiguration.etcd.external.caFile": [{ ...externalEtcd, caFile: "ca.crt" }],
    "clusterConfiguration.etcd.external.certFile": [{ ...externalEtcd, certFile: "c.crt" }],
    "clusterConfiguration.etcd.external.keyFile": [{ ...externalEtcd, keyFile: "c.key" }],
  }),
  ...refusedOf("worker", {
    "joinConfiguration.discovery.bootstrapToken.token": ["abcdef"],
    "joinConfiguration.discovery.bootstrapToken.apiServerEndpoint": [
      "api.example",
      "https://api.example:6443",
      "fd00::1",
    ],
    "joinConfiguration.discovery.tlsBootstrapToken": ["abcdef"],
    "joinConfiguration.discovery.file.kubeConfigPath": ["discovery.conf", "http://192.0.2.8/discovery.conf"],
    "joinConfiguration.discovery": [
      { bootstrapToken: { token }, file: { kubeConfigPath: "https://192.0.2.8/discovery.conf" } },
    ],
    "joinConfiguration.caCertPath": ["ca.crt"],
    "joinConfiguration.nodeRegistration.name": ["a_b"],
  }),
  ...refusedOf("control plane that joins", {
    "joinConfiguration.controlPlane.localAPIEndpoint.advertiseAddress": ["host.example"],
    "joinConfiguration.controlPlane.localAPIEndpoint.bindPort": [65_536],
  }),
];

/** The spec with the value at the field; a list or an object stands at what the field is in. */
export const specOf = ({ field, value }: RefusedSpec): KubeadmConfigSpec => {
  const names = field.split(".");
  const place =
    typeof value !== "object"
      ? names
      : Array.isArray(value)
        ? names.slice(0, names.findIndex((name) => name.includes("[")) + 1)
        : names.slice(0, field.includes("external") ? 3 : names.length);
  return place
    .toReversed()
    .reduce<unknown>((inner, name) => ({ [name.replace(/\[\d+\]$/, "")]: inner }), value) as KubeadmConfigSpec;
};
