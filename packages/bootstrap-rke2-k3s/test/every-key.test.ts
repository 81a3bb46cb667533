import type { Data } from "@capstan/kit/bootstrap";
import { validate } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KThreesConfig, type KThreesConfigSpec, RKE2Config, type RKE2ConfigSpec } from "../src/api.ts";
import { type RKE2ServerConfig, rke2ServerConfig } from "../src/api/rke2-server-config.ts";
import { type Distribution, k3s, renderNodeDocument, rke2, type Role } from "../src/render.ts";
import { nodeInput } from "./node-input.ts";

const component = (name: string) => ({
  extraArgs: [`${name}-a=1`],
  overrideImage: `${name}:1`,
  extraMounts: { "/b": "/in/b", "/a": "/in/a" },
  extraEnv: { B: "2", A: "" },
});

const keysOf = (prefix: string) => ({
  [`${prefix}-arg`]: [`${prefix}-a=1`],
  [`${prefix}-image`]: `${prefix}:1`,
  [`${prefix}-extra-mount`]: ["/a:/in/a", "/b:/in/b"],
  [`${prefix}-extra-env`]: ["A=", "B=2"],
});

const agentConfig = {
  dataDir: "/data",
  nodeLabels: ["a=b"],
  nodeTaints: ["a=b:NoSchedule"],
  containerRuntimeEndpoint: "/run/cri.sock",
  snapshotter: "native",
  cisProfile: "cis",
  podSecurityAdmissionConfigFile: "/etc/psa.yaml",
  protectKernelDefaults: true,
  systemDefaultRegistry: "registry.example",
  enableContainerdSElinux: true,
  kubeletPath: "/opt/kubelet",
  kubelet: { extraArgs: ["max-pods=150"] },
  kubeProxy: component("kube-proxy"),
  runtimeImage: "runtime:1",
  loadBalancerPort: 6444,
  resolvConf: { name: "resolv" },
  imageCredentialProviderConfigMap: { name: "credentials" },
  nodeName: "{{ ds.meta_data.label }}",
} satisfies RKE2ConfigSpec["agentConfig"];

const agentKeys = {
  "data-dir": "/data",
  "node-label": ["a=b"],
  "node-taint": ["a=b:NoSchedule"],
  "container-runtime-endpoint": "/run/cri.sock",
  snapshotter: "native",
  profile: "cis",
  "pod-security-admission-config-file": "/etc/psa.yaml",
  "protect-kernel-defaults": true,
  "system-default-registry": "registry.example",
  selinux: true,
  "kubelet-path": "/opt/kubelet",
  "kubelet-arg": ["max-pods=150"],
  ...keysOf("kube-proxy"),
  "runtime-image": "runtime:1",
  "lb-server-port": 6444,
  "resolv-conf": "/etc/rancher/rke2/resolv.conf",
  "image-credential-provider-config": "/etc/rancher/rke2/credential-config.yaml",
  "image-credential-provider-bin-dir": "/opt/bin",
  "node-name": "{{ ds.meta_data.label }}",
};

const serverConfig = {
  advertiseAddress: "10.0.0.1",
  bindAddress: "10.0.0.2",
  tlsSan: ["api.example"],
  serviceNodePortRange: "30000-31000",
  clusterDNS: "10.61.0.10",
  clusterDomain: "own.example",
  cni: "cilium",
  cniMultusEnable: true,
  ingressController: ["traefik"],
  disableComponents: {
    pluginComponents: ["rke2-coredns"],
    kubernetesComponents: ["scheduler", "kubeProxy", "cloudController"],
  },
  kubeAPIServer: component("kube-apiserver"),
  kubeControllerManager: component("kube-controller-manager"),
  kubeScheduler: component("kube-scheduler"),
  cloudControllerManager: { ...component("cloud-controller-manager"), extraArgs: [] },
  cloudProviderName: "external",
  supervisorMetrics: true,
  embeddedRegistry: true,
  pauseImage: "pause:1",
  auditPolicySecret: { name: "audit" },
  cloudProviderConfigMap: { name: "cloud" },
  secretsEncryption: { provider: "aescbc", encryptionKeySecret: { name: "key" } },
  externalDatastoreSecret: { name: "database" },
  etcd: {
    exposeMetrics: true,
    customConfig: component("etcd"),
    backupConfig: {
      disableAutomaticSnapshots: false,
      snapshotName: "daily",
      scheduleCron: "0 0 * * *",
      retention: "5",
      directory: "/snapshots",
      s3: {
        bucket: "b",
        region: "r",
        folder: "f",
        endpoint: "s3.example",
        enforceSslVerify: false,
        s3CredentialSecret: { name: "s3" },
        endpointCAsecret: { name: "s3-ca" },
      },
    },
  },
} satisfies RKE2ServerConfig;

const { "cloud-controller-manager-arg": _, ...cloudControllerManager } = keysOf("cloud-controller-manager");

const serverKeys = {
  "advertise-address": "10.0.0.1",
  "bind-address": "10.0.0.2",
  "tls-san": ["api.example", "198.51.100.7"],
  "service-node-port-range": "30000-31000",
  "cluster-cidr": "10.60.0.0/16",
  "service-cidr": "10.61.0.0/16",
  "cluster-dns": "10.61.0.10",
  "cluster-domain": "own.example",
  cni: ["multus", "cilium"],
  "ingress-controller": ["traefik"],
  disable: ["rke2-coredns"],
  "disable-scheduler": true,
  "disable-kube-proxy": true,
  "disable-cloud-controller": true,
  ...keysOf("kube-apiserver"),
  ...keysOf("kube-controller-manager"),
  ...keysOf("kube-scheduler"),
  ...cloudControllerManager,
  "supervisor-metrics": true,
  "embedded-registry": true,
  "pause-image": "pause:1",
  "etcd-expose-metrics": true,
  ...keysOf("etcd"),
  "etcd-disable-snapshots": false,
  "etcd-snapshot-name": "daily",
  "etcd-snapshot-schedule-cron": "0 0 * * *",
  "etcd-snapshot-retention": "5",
  "etcd-snapshot-dir": "/snapshots",
  "etcd-s3": true,
  "etcd-s3-bucket": "b",
  "etcd-s3-region": "r",
  "etcd-s3-folder": "f",
  "etcd-s3-endpoint": "s3.example",
  "etcd-s3-skip-ssl-verify": true,
  "etcd-s3-access-key": "id",
  "etcd-s3-secret-key": "no",
  "etcd-s3-endpoint-ca": "/etc/rancher/rke2/etcd-s3-ca.crt",
  "audit-policy-file": "/etc/rancher/rke2/audit-policy.yaml",
  "secrets-encryption-provider": "aescbc",
  "datastore-endpoint": "postgres://db",
  "datastore-cafile": "/etc/rancher/rke2/datastore-ca.crt",
  "datastore-certfile": "/etc/rancher/rke2/datastore-cert.crt",
  "datastore-keyfile": "/etc/rancher/rke2/datastore-key.crt",
};

/** Agents have of the servers' settings what concerns the cloud. */
const cloudKeys = {
  "cloud-provider-name": "external",
  "cloud-provider-config": "/etc/rancher/rke2/cloud-provider-config",
};

const data: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "server.auditPolicySecret": { "audit-policy.yaml": "rules: []\n" },
  "server.cloudProviderConfigMap": { "cloud-config": "[Global]\n" },
  "server.etcd.backupConfig.s3.s3CredentialSecret": { aws_access_key_id: "id", aws_secret_access_key: "no" },
  "server.etcd.backupConfig.s3.endpointCAsecret": { "ca.pem": "s3\n" },
  "server.secretsEncryption.encryptionKeySecret": { encryptionKey: "0123" },
  "server.externalDatastoreSecret": {
    endpoint: "postgres://db",
    "ca.pem": "ca\n",
    "cert.pem": "cert\n",
    "key.pem": "key\n",
  },
  "agent.resolvConf": { "resolv.conf": "nameserver 10.0.0.1\n" },
  "agent.imageCredentialProviderConfigMap": {
    "credential-config.yaml": "a: 1\n",
    "credential-provider-binaries": "/opt/bin",
  },
};

const references = new Map<string, Data>(
  Object.entries(data).map(([from, texts]) => [
    from,
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text)])),
  ]),
);

const etc = "/etc/rancher/rke2";
const agentFiles = {
  "/opt/rke2-cis-script.sh": "0700",
  [`${etc}/cloud-provider-config`]: "0644",
  [`${etc}/resolv.conf`]: "0644",
  [`${etc}/credential-config.yaml`]: "0644",
  [`${etc}/config.yaml`]: "0640",
};
const serverFiles = {
  [`${etc}/audit-policy.yaml`]: "0644",
  [`${etc}/etcd-s3-ca.crt`]: "0640",
  "/data/server/cred/encryption-config.json": "0400",
  [`${etc}/datastore-ca.crt`]: "0640",
  [`${etc}/datastore-cert.crt`]: "0640",
  [`${etc}/datastore-key.crt`]: "0640",
};
const authorities = Object.fromEntries(
  ["server-ca", "client-ca", "etcd/peer-ca", "etcd/server-ca"].flatMap((name) => [
    [`/data/server/tls/${name}.crt`, "0640"],
    [`/data/server/tls/${name}.key`, "0600"],
  ]),
) as Readonly<Record<string, string>>;

const render = (distribution: Distribution, role: Role, parts: Parameters<typeof nodeInput>[1]) => {
  const { write_files: files } = parse(renderNodeDocument(distribution, nodeInput(role, parts))) as {
    readonly write_files: readonly { readonly path: string; readonly permissions: string; readonly content: string }[];
  };
  return {
    config: parse(files.at(-1)?.content ?? "") as unknown,
    files: Object.fromEntries(files.map(({ path, permissions }) => [path, permissions])),
  };
};

const token = "6f1d0c2b9a8e47d5b3c2a1908f7e6d5c";

describe("an RKE2 machine with every field", () => {
  const parts = {
    version: "v1.35.4+rke2r1",
    references,
    source: { agent: agentConfig, server: serverConfig },
  };
  const server = "https://10.8.0.4:9345";

  it("has fields that the schemas take", () => {
    const metadata = { name: "a" };
    expect(validate(RKE2Config.schema, { metadata, spec: { agentConfig } })).toEqual([]);
    expect(validate(rke2ServerConfig(), serverConfig)).toEqual([]);
  });

  it("as the first server: these keys and files, and no others", () => {
    const { config, files } = render(rke2, "init", parts);
    expect(config).toEqual({ token, ...agentKeys, ...serverKeys, ...cloudKeys });
    expect(files).toEqual({ ...agentFiles, ...serverFiles, ...authorities });
  });

  it("as a further server: the same without authorities", () => {
    const { config, files } = render(rke2, "join", { ...parts, server });
    expect(config).toEqual({ server, token, ...agentKeys, ...serverKeys, ...cloudKeys });
    expect(files).toEqual({ ...agentFiles, ...serverFiles });
  });

  it("as an agent: what agents have", () => {
    const { config, files } = render(rke2, "agent", { ...parts, server });
    expect(config).toEqual({ server, token, ...agentKeys, ...cloudKeys });
    expect(files).toEqual(agentFiles);
  });
});

describe("a k3s machine with every field", () => {
  const spec = {
    agentConfig: {
      nodeLabels: ["a=b"],
      nodeTaints: ["a=b:NoSchedule"],
      privateRegistry: "/etc/registries.yaml",
      kubeletArgs: ["max-pods=150"],
      kubeProxyArgs: ["v=2"],
      nodeName: "{{ ds.meta_data.label }}",
    },
    serverConfig: {
      kubeAPIServerArg: ["v=3"],
      kubeControllerManagerArgs: ["v=4"],
      kubeSchedulerArgs: ["v=5"],
      tlsSan: ["api.example"],
      bindAddress: "10.0.0.2",
      httpsListenPort: "6444",
      advertiseAddress: "10.0.0.1",
      advertisePort: "6445",
      clusterCidr: "10.1.0.0/16",
      serviceCidr: "10.2.0.0/16",
      clusterDNS: "10.2.0.10",
      clusterDomain: "own.example",
      disableComponents: ["traefik"],
      disableCloudController: true,
      cloudProviderName: "linode",
      systemDefaultRegistry: "registry.example",
    },
  } satisfies KThreesConfigSpec;
  const agentKeys = {
    "node-label": ["a=b"],
    "node-taint": ["a=b:NoSchedule"],
    "private-registry": "/etc/registries.yaml",
    "kubelet-arg": ["max-pods=150", "cloud-provider=linode"],
    "kube-proxy-arg": ["v=2"],
    "node-name": "{{ ds.meta_data.label }}",
  };
  const ciphers = [
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
  ].join(",");
  const serverKeys = {
    "kube-apiserver-arg": ["v=3", "anonymous-auth=true", `tls-cipher-suites=${ciphers}`],
    "kube-controller-manager-arg": ["v=4", "cloud-provider=linode"],
    "kube-scheduler-arg": ["v=5"],
    "tls-san": ["api.example", "198.51.100.7"],
    "bind-address": "10.0.0.2",
    "https-listen-port": "6444",
    "advertise-address": "10.0.0.1",
    "advertise-port": "6445",
    "cluster-cidr": "10.1.0.0/16",
    "service-cidr": "10.2.0.0/16",
    "cluster-dns": "10.2.0.10",
    "cluster-domain": "own.example",
    disable: ["traefik"],
    "disable-cloud-controller": true,
    "system-default-registry": "registry.example",
  };
  const parts = { version: "v1.35.4+k3s1", source: { agent: spec.agentConfig, server: spec.serverConfig } };
  const server = "https://198.51.100.7:6443";

  it("has fields that the schema takes", () =>
    expect(validate(KThreesConfig.schema, { metadata: { name: "a" }, spec })).toEqual([]));

  it.each([
    ["init", {}, { "cluster-init": true, ...agentKeys, ...serverKeys }],
    ["join", { server }, { server, ...agentKeys, ...serverKeys }],
    ["agent", { server }, { server, ...agentKeys }],
  ] as const)("as %s: these keys, and no others", (role, more, expected) => {
    expect(render(k3s, role, { ...parts, ...more }).config).toEqual({ token, ...expected });
  });

  it("has no argument twice that the user sets, and none of a cloud where there is none", () => {
    const user = { kubeAPIServerArg: ["--anonymous-auth=false", "tls-cipher-suites=X"], cloudProviderName: "" };
    const { config } = render(k3s, "init", { ...parts, source: { server: user } });
    expect(config).toMatchObject({ "kube-apiserver-arg": ["--anonymous-auth=false", "tls-cipher-suites=X"] });
    expect(config).not.toHaveProperty("kubelet-arg");
    expect(config).not.toHaveProperty("kube-controller-manager-arg");
  });

  it("takes the domain of the Cluster where it has none of its own", () => {
    const cluster = { ...nodeInput("init", parts).source.cluster, serviceDomain: "of-the-cluster.example" };
    for (const [distribution, version] of [
      [k3s, "v1.35.4+k3s1"],
      [rke2, "v1.35.4+rke2r1"],
    ] as const) {
      expect(render(distribution, "join", { version, source: { cluster } }).config).toMatchObject({
        "cluster-domain": "of-the-cluster.example",
      });
    }
  });
});
