import { looksLikeJinja } from "@capstan/kit/bootstrap";
import type { ReferenceRow } from "./reference-row.ts";
import { externalDatastore } from "./external-datastore.ts";
import { component, type Row, rows } from "./row.ts";
import { clusterNetworkRows, namesOf } from "./shared-rows.ts";

const servers = { only: "servers" } as const;

const agentRows: readonly Row[] = [
  ...rows("agent", {
    dataDir: "data-dir",
    nodeLabels: "node-label",
    nodeTaints: "node-taint",
    containerRuntimeEndpoint: "container-runtime-endpoint",
    snapshotter: "snapshotter",
    cisProfile: "profile",
    podSecurityAdmissionConfigFile: "pod-security-admission-config-file",
    protectKernelDefaults: "protect-kernel-defaults",
    systemDefaultRegistry: "system-default-registry",
    enableContainerdSElinux: "selinux",
    kubeletPath: "kubelet-path",
    runtimeImage: "runtime-image",
    loadBalancerPort: "lb-server-port",
  }),
  ...component("agent.kubelet", "kubelet", {}, ["extraArgs"]),
  ...component("agent.kubeProxy", "kube-proxy"),
  {
    from: "agent.nodeName",
    key: "node-name",
    write: (name) => (typeof name === "string" && looksLikeJinja(name) ? name : undefined),
  },
];

const disabled = (name: string, key: string): Row => ({
  from: "server.disableComponents.kubernetesComponents",
  key,
  ...servers,
  write: (names) => Array.isArray(names) && names.includes(name),
});

const backup = "server.etcd.backupConfig";

const etcdRows: readonly Row[] = [
  { from: "server.etcd.exposeMetrics", key: "etcd-expose-metrics", ...servers },
  ...component("server.etcd.customConfig", "etcd", servers),
  { from: `${backup}.disableAutomaticSnapshots`, key: "etcd-disable-snapshots", ...servers, evenFalse: true },
  ...rows(
    backup,
    {
      snapshotName: "etcd-snapshot-name",
      scheduleCron: "etcd-snapshot-schedule-cron",
      retention: "etcd-snapshot-retention",
      directory: "etcd-snapshot-dir",
    },
    servers,
  ),
  { from: `${backup}.s3`, key: "etcd-s3", ...servers, write: (s3) => s3 !== undefined },
  ...rows(
    `${backup}.s3`,
    { bucket: "etcd-s3-bucket", region: "etcd-s3-region", folder: "etcd-s3-folder", endpoint: "etcd-s3-endpoint" },
    servers,
  ),
  {
    from: `${backup}.s3`,
    key: "etcd-s3-skip-ssl-verify",
    ...servers,
    // Unset means that the certificate is not checked.
    write: (s3) => s3 !== undefined && (s3 as { readonly enforceSslVerify?: boolean }).enforceSslVerify !== true,
  },
];

const serverRows: readonly Row[] = [
  ...rows(
    "server",
    {
      advertiseAddress: "advertise-address",
      bindAddress: "bind-address",
      serviceNodePortRange: "service-node-port-range",
      clusterDNS: "cluster-dns",
      ingressController: "ingress-controller",
      supervisorMetrics: "supervisor-metrics",
      embeddedRegistry: "embedded-registry",
      pauseImage: "pause-image",
    },
    servers,
  ),
  { from: "server.cloudProviderName", key: "cloud-provider-name" },
  { from: "server.tlsSan", key: "tls-san", ...servers, write: namesOf },
  ...clusterNetworkRows,
  {
    from: "server.cni",
    key: "cni",
    ...servers,
    write: (cni, { server }) =>
      cni === undefined ? undefined : [...(server["cniMultusEnable"] === true ? ["multus"] : []), cni],
  },
  { from: "server.disableComponents.pluginComponents", key: "disable", ...servers },
  disabled("scheduler", "disable-scheduler"),
  disabled("kubeProxy", "disable-kube-proxy"),
  disabled("cloudController", "disable-cloud-controller"),
  ...component("server.kubeAPIServer", "kube-apiserver", servers),
  ...component("server.kubeControllerManager", "kube-controller-manager", servers),
  ...component("server.kubeScheduler", "kube-scheduler", servers),
  ...component("server.cloudControllerManager", "cloud-controller-manager", servers, [
    "overrideImage",
    "extraMounts",
    "extraEnv",
  ]),
  { from: "server.secretsEncryption.provider", key: "secrets-encryption-provider", ...servers },
  ...etcdRows,
];

/** All settings of RKE2. */
export const rke2Rows: readonly Row[] = [...agentRows, ...serverRows];

const folder = "/etc/rancher/rke2";

const encryptionConfiguration = (key: Buffer, provider: unknown): string =>
  `${JSON.stringify({
    kind: "EncryptionConfiguration",
    apiVersion: "apiserver.config.k8s.io/v1",
    resources: [
      {
        resources: ["secrets"],
        providers: [
          { [String(provider ?? "aescbc")]: { keys: [{ name: "enckey", secret: key.toString("base64") }] } },
          { identity: {} },
        ],
      },
    ],
  })}\n`;

/** All references of RKE2. */
export const rke2References: readonly ReferenceRow[] = [
  {
    from: "server.auditPolicySecret",
    object: "secret",
    ...servers,
    contents: [
      { data: "audit-policy.yaml", key: "audit-policy-file", file: `${folder}/audit-policy.yaml`, mode: "0644" },
    ],
  },
  {
    from: "server.cloudProviderConfigMap",
    object: "configMap",
    contents: [
      { data: "cloud-config", key: "cloud-provider-config", file: `${folder}/cloud-provider-config`, mode: "0644" },
    ],
  },
  {
    from: `${backup}.s3.s3CredentialSecret`,
    object: "secret",
    ...servers,
    contents: [
      { data: "aws_access_key_id", key: "etcd-s3-access-key" },
      { data: "aws_secret_access_key", key: "etcd-s3-secret-key" },
    ],
  },
  {
    from: `${backup}.s3.endpointCAsecret`,
    object: "secret",
    ...servers,
    contents: [{ data: "ca.pem", key: "etcd-s3-endpoint-ca", file: `${folder}/etcd-s3-ca.crt` }],
  },
  {
    from: "server.secretsEncryption.encryptionKeySecret",
    object: "secret",
    ...servers,
    contents: [
      {
        data: "encryptionKey",
        file: "server/cred/encryption-config.json",
        mode: "0400",
        write: (key, { server }) =>
          encryptionConfiguration(key, (server["secretsEncryption"] as { readonly provider?: string }).provider),
      },
    ],
  },
  externalDatastore(folder),
  {
    from: "agent.resolvConf",
    object: "configMap",
    contents: [{ data: "resolv.conf", key: "resolv-conf", file: `${folder}/resolv.conf`, mode: "0644" }],
  },
  {
    from: "agent.imageCredentialProviderConfigMap",
    object: "configMap",
    contents: [
      {
        data: "credential-config.yaml",
        key: "image-credential-provider-config",
        file: `${folder}/credential-config.yaml`,
        mode: "0644",
      },
      { data: "credential-provider-binaries", key: "image-credential-provider-bin-dir" },
    ],
  },
];
