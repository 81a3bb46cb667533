/** The spec of a KubeadmConfig in its newest version, and what an update makes of it. */
export interface ConfigCase {
  readonly title: string;
  readonly spec: object;
  readonly update?: object;
}

const secret = { name: "contents", key: "value" };
const file = (more: object) => ({ files: [{ path: "/etc/a", content: "x", ...more }] });
const files = (...list: readonly object[]) => ({ files: list });
const user = (more: object) => ({ users: [{ name: "ops", ...more }] });
const disk = (diskSetup: object) => ({ diskSetup });
const partition = (more: object) => disk({ partitions: [{ device: "/dev/sdb", ...more }] });
const filesystem = (more: object) => disk({ filesystems: [{ device: "/dev/sdb1", filesystem: "ext4", ...more }] });
const layout = (...diskLayout: readonly object[]) => partition({ diskLayout });
const cluster = (clusterConfiguration: object) => ({ clusterConfiguration });
const init = (initConfiguration: object) => ({ initConfiguration });
const join = (joinConfiguration: object) => ({ joinConfiguration });
const discovery = (more: object) => join({ discovery: more });
const fileDiscovery = (kubeConfig: object) => discovery({ file: { kubeConfigPath: "/etc/kubeconfig", kubeConfig } });
const token = (more: object) => init({ bootstrapTokens: [{ token: "abcdef.0123456789abcdef", ...more }] });
const registration = (nodeRegistration: object) => join({ nodeRegistration });
const ignition = (more: object) => ({ format: "ignition", ...more });
const additionalConfig = (text: string) => ignition({ ignition: { containerLinuxConfig: { additionalConfig: text } } });
const long = (length: number) => "x".repeat(length);

const external = { endpoints: ["https://192.0.2.1:2379"], caFile: "/ca", certFile: "/crt", keyFile: "/key" };

const specs: Readonly<Record<string, object>> = {
  nothing: {},
  "an empty clusterConfiguration": cluster({}),
  "an empty ntp": { ntp: {} },
  "a file with a content": file({}),
  "a file without a path": files({ content: "x" }),
  "a file with an empty path": file({ path: "" }),
  "a file with a long path": file({ path: long(513) }),
  "a file without a content": files({ path: "/etc/a" }),
  "a file with an empty content": file({ content: "" }),
  "a file with a long content": file({ content: long(10_241) }),
  "a file with two contents": file({ contentFrom: { secret } }),
  "a file of a Secret": files({ path: "/etc/a", contentFrom: { secret } }),
  "a file of no Secret": files({ path: "/etc/a", contentFrom: {} }),
  "a file of a Secret without a key": files({ path: "/etc/a", contentFrom: { secret: { name: "a" } } }),
  "a file of a Secret without a name": files({ path: "/etc/a", contentFrom: { secret: { key: "a" } } }),
  "a file of a Secret with an empty key": files({ path: "/etc/a", contentFrom: { secret: { name: "a", key: "" } } }),
  "one path twice": files({ path: "/etc/a", content: "x" }, { path: "/etc/a", content: "y" }),
  "one path three times": files({ path: "/a" }, { path: "/a" }, { path: "/b" }, { path: "/a" }),
  "one path in two spellings": files({ path: "/etc/a" }, { path: "/etc//a" }),
  "a file encoded otherwise": file({ encoding: "gz" }),
  "a file in base64": file({ encoding: "base64" }),
  "a file with permissions as a number": file({ permissions: 640 }),
  "a file with odd permissions": file({ permissions: "u+rwx" }),
  "a file with long permissions": file({ permissions: long(17) }),
  "a file with an owner": file({ owner: "root:root", append: true }),
  "a file with an empty owner": file({ owner: "" }),
  "a template": file({ contentFormat: "Template", content: "{{ .controlPlane.version }}" }),
  "a template that cannot be read": file({ contentFormat: "Template", content: "{{" }),
  "a format that there is not": file({ contentFormat: "Jinja" }),
  "no files": { files: [] },
  "a user": user({ sudo: "ALL=(ALL) NOPASSWD:ALL", lockPassword: false, inactive: true }),
  "a user without a name": { users: [{ shell: "/bin/sh" }] },
  "a user twice": { users: [{ name: "a" }, { name: "a" }] },
  "a user with two passwords": user({ passwd: "$6$", passwdFrom: { secret } }),
  "a user with a password of a Secret": user({ passwdFrom: { secret } }),
  "a user with a password of no Secret": user({ passwdFrom: {} }),
  "a user with a password of a Secret without a key": user({ passwdFrom: { secret: { name: "a" } } }),
  "a user with no keys": user({ sshAuthorizedKeys: [] }),
  "a user with an empty key": user({ sshAuthorizedKeys: [""] }),
  "a user with a long key": user({ sshAuthorizedKeys: [long(2049)] }),
  "no users": { users: [] },
  "a partition": partition({ layout: true }),
  "a partition without a layout": partition({}),
  "a partition with both layouts": partition({ layout: true, diskLayout: [{ percentage: 10 }] }),
  "a partition with neither": partition({ layout: false }),
  "a partition without a device": disk({ partitions: [{ layout: true }] }),
  "a partition table that there is not": partition({ layout: true, tableType: "bsd" }),
  partitions: layout({ percentage: 30, partitionType: "LVM" }, { percentage: 70 }),
  "partitions larger than the disk": layout({ percentage: 60 }, { percentage: 41 }),
  "partitions of a type that there is not": layout({ percentage: 30, partitionType: "Plan9" }),
  "partitions of a GUID": layout({ percentage: 30, partitionType: "0FC63DAF-8483-4772-8E79-3D69D8477DE4" }),
  "a partition of nothing": layout({ percentage: 0 }),
  "a partition of more than all": layout({ percentage: 101 }),
  "no partitions": layout(),
  "no tables and file systems": disk({ partitions: [], filesystems: [] }),
  "an empty diskSetup": disk({}),
  "a file system": filesystem({ label: "data", extraOpts: ["-E", "x"], replaceFS: "ntfs", partition: "auto" }),
  "a file system without a device": disk({ filesystems: [{ filesystem: "ext4" }] }),
  "a file system without a type": disk({ filesystems: [{ device: "/dev/sdb1" }] }),
  "a file system with an empty label": filesystem({ label: "" }),
  mounts: { mounts: [["/dev/sdb1", "/srv"]] },
  "a mount with a number": { mounts: [["/dev/sdb1", "/srv", "auto", "defaults", 0, 2]] },
  "an empty mount": { mounts: [[]] },
  "a mount with an empty field": { mounts: [["/dev/sdb1", ""]] },
  "no mounts": { mounts: [] },
  commands: { bootCommands: ["a"], preKubeadmCommands: ["b"], postKubeadmCommands: ["c"] },
  "an empty command": { preKubeadmCommands: [""] },
  "no commands": { preKubeadmCommands: [] },
  "a long command": { postKubeadmCommands: [long(10_241)] },
  "servers of time": { ntp: { enabled: true, servers: ["ntp.example"] } },
  "no servers of time": { ntp: { enabled: true, servers: [] } },
  "a format": { format: "cloud-config" },
  "an empty format": { format: "" },
  "another format": { format: "butane" },
  verbosity: { verbosity: 5 },
  "verbosity as a text": { verbosity: "5" },
  Ignition: ignition({}),
  "Ignition with a configuration": additionalConfig("storage:\n  files: []\n"),
  "Ignition with a configuration that there is not": additionalConfig("a: b"),
  "a configuration of Ignition alone": { ignition: { containerLinuxConfig: { strict: true } } },
  "an empty configuration of Ignition": ignition({ ignition: {} }),
  "Ignition with boot commands": ignition({ bootCommands: ["a"] }),
  "Ignition with an inactive user": ignition(user({ inactive: true })),
  "Ignition with a packed file": ignition(file({ encoding: "gzip" })),
  "Ignition with a table of mbr": ignition(partition({ layout: true, tableType: "mbr" })),
  "Ignition with a replaced file system": ignition(filesystem({ replaceFS: "ntfs" })),
  "Ignition with a partition by number": ignition(filesystem({ partition: "1" })),
  "the cluster's endpoint": cluster({ controlPlaneEndpoint: "192.0.2.1:6443" }),
  "a local etcd": cluster({ etcd: { local: { dataDir: "/var/lib/etcd", imageTag: "3.6.8" } } }),
  "an etcd of no kind": cluster({ etcd: {} }),
  "an external etcd": cluster({ etcd: { external } }),
  "an external etcd without keys": cluster({ etcd: { external: { endpoints: ["a"] } } }),
  "an external etcd without endpoints": cluster({ etcd: { external: { ...external, endpoints: [] } } }),
  "both kinds of etcd": cluster({ etcd: { external, local: { dataDir: "/a" } } }),
  "an image's tag that cannot be": cluster({ dns: { imageTag: "a:b" } }),
  arguments: cluster({
    apiServer: {
      extraArgs: [
        { name: "v", value: "4" },
        { name: "a", value: "" },
      ],
    },
  }),
  "an argument twice": cluster({
    apiServer: {
      extraArgs: [
        { name: "v", value: "4" },
        { name: "v", value: "5" },
      ],
    },
  }),
  "an argument twice alike": cluster({
    apiServer: {
      extraArgs: [
        { name: "v", value: "4" },
        { name: "v", value: "4" },
      ],
    },
  }),
  "an argument without a value": cluster({ scheduler: { extraArgs: [{ name: "v" }] } }),
  "an argument without a name": cluster({ scheduler: { extraArgs: [{ name: "", value: "a" }] } }),
  variables: cluster({ scheduler: { extraEnvs: [{ name: "A", value: "b" }] } }),
  "a variable of two sources": cluster({
    scheduler: { extraEnvs: [{ name: "A", value: "b", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
  }),
  "a variable of a field": cluster({
    scheduler: { extraEnvs: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
  }),
  volumes: cluster({ apiServer: { extraVolumes: [{ name: "a", hostPath: "/a", mountPath: "/b", readOnly: false }] } }),
  "a volume twice": cluster({
    apiServer: {
      extraVolumes: [
        { name: "a", hostPath: "/a", mountPath: "/b" },
        { name: "a", hostPath: "/a", mountPath: "/b" },
      ],
    },
  }),
  "a volume without a path": cluster({ apiServer: { extraVolumes: [{ name: "a", hostPath: "/a" }] } }),
  "an algorithm": cluster({ encryptionAlgorithm: "ECDSA-P256" }),
  "an algorithm that there is not": cluster({ encryptionAlgorithm: "RSA-1024" }),
  validity: cluster({ certificateValidityPeriodDays: 30, caCertificateValidityPeriodDays: 365 }),
  "certificates that outlive their authority": cluster({
    certificateValidityPeriodDays: 31,
    caCertificateValidityPeriodDays: 30,
  }),
  "validity of nothing": cluster({ certificateValidityPeriodDays: 0 }),
  gates: cluster({ featureGates: { A: true } }),
  "a gate as a text": cluster({ featureGates: { A: "true" } }),
  "a token": token({ ttlSeconds: 60, usages: ["signing"], groups: ["system:bootstrappers:a"] }),
  "a token of another form": init({ bootstrapTokens: [{ token: "abcdef" }] }),
  "a token that is empty": init({ bootstrapTokens: [{ token: "" }] }),
  "a token with two ends": token({ ttlSeconds: 60, expires: "2031-01-01T00:00:00Z" }),
  "a token with an end that is no time": token({ expires: "soon" }),
  "a token that ended before it began": token({ ttlSeconds: -1 }),
  "no tokens": init({ bootstrapTokens: [] }),
  "an API server's address": init({ localAPIEndpoint: { advertiseAddress: "192.0.2.1", bindPort: 6443 } }),
  "an API server's port 0": init({ localAPIEndpoint: { bindPort: 0 } }),
  timeouts: init({ timeouts: { controlPlaneComponentHealthCheckSeconds: 9, tlsBootstrapSeconds: 0 } }),
  "a timeout below zero": init({ timeouts: { kubeletHealthCheckSeconds: -1 } }),
  patches: init({ patches: { directory: "/etc/patches" }, skipPhases: ["addon/kube-proxy"] }),
  "no phases to skip": init({ skipPhases: [] }),
  "no taints": registration({ taints: [] }),
  taints: registration({ taints: [{ key: "a", effect: "NoSchedule" }] }),
  "a taint without an effect": registration({ taints: [{ key: "a" }] }),
  "a taint with an effect that there is not": registration({ taints: [{ key: "a", effect: "Never" }] }),
  "a policy for images": registration({ imagePullPolicy: "Always", imagePullSerial: false }),
  "a policy for images that there is not": registration({ imagePullPolicy: "Sometimes" }),
  "a Node's name with Jinja": registration({ name: "{{ ds.meta_data.local_hostname }}" }),
  "an empty Node's name": registration({ name: "" }),
  "discovery by a token": discovery({
    bootstrapToken: { token: "abcdef.0123456789abcdef", unsafeSkipCAVerification: false },
  }),
  "discovery by an empty token": discovery({ bootstrapToken: {} }),
  "discovery with no hashes": discovery({ bootstrapToken: { caCertHashes: [] } }),
  "discovery by two ways": discovery({ bootstrapToken: { token: "a" }, file: { kubeConfigPath: "/a" } }),
  "discovery by a file": discovery({ file: { kubeConfigPath: "/a" } }),
  "discovery by a file without a path": discovery({ file: {} }),
  "a kubeconfig without a user": fileDiscovery({}),
  "a kubeconfig with a user of nothing": fileDiscovery({ user: {} }),
  "a kubeconfig with a program": fileDiscovery({ user: { exec: { command: "a", provideClusterInfo: false } } }),
  "a kubeconfig with an empty program": fileDiscovery({ user: { exec: { command: "" } } }),
  "a kubeconfig with a provider": fileDiscovery({ user: { authProvider: { name: "a", config: { b: "c" } } } }),
  "a kubeconfig with both": fileDiscovery({ user: { authProvider: { name: "a" }, exec: { command: "a" } } }),
  "a kubeconfig with an empty cluster": fileDiscovery({ cluster: {}, user: { exec: { command: "a" } } }),
  "a kubeconfig with an authority that is not base64": fileDiscovery({
    cluster: { certificateAuthorityData: "!" },
    user: { exec: { command: "a" } },
  }),
  "a control plane that joins": join({ controlPlane: {} }),
};

const updates: readonly ConfigCase[] = [
  { title: "a file added", spec: file({}), update: files({ path: "/etc/b", content: "y" }) },
  {
    title: "another algorithm",
    spec: cluster({ encryptionAlgorithm: "RSA-2048" }),
    update: cluster({ encryptionAlgorithm: "RSA-4096" }),
  },
  { title: "another directory", spec: cluster({ certificatesDir: "/a" }), update: cluster({ certificatesDir: "/b" }) },
  {
    title: "another etcd",
    spec: cluster({ etcd: { external } }),
    update: cluster({ etcd: { local: { dataDir: "/a" } } }),
  },
  {
    title: "another validity",
    spec: cluster({ caCertificateValidityPeriodDays: 10 }),
    update: cluster({ caCertificateValidityPeriodDays: 20 }),
  },
  {
    title: "another endpoint",
    spec: cluster({ controlPlaneEndpoint: "a:1" }),
    update: cluster({ controlPlaneEndpoint: "b:1" }),
  },
  {
    title: "other gates",
    spec: cluster({ featureGates: { A: true } }),
    update: cluster({ featureGates: { A: false } }),
  },
  {
    title: "another registry",
    spec: cluster({ imageRepository: "a.example" }),
    update: cluster({ imageRepository: "b.example" }),
  },
  { title: "another format", spec: {}, update: { format: "cloud-config" } },
  { title: "other tokens", spec: token({}), update: init({ bootstrapTokens: [{ token: "bcdefg.0123456789abcdef" }] }) },
  { title: "another Node's name", spec: registration({ name: "a" }), update: registration({ name: "b" }) },
  {
    title: "another discovery",
    spec: discovery({ tlsBootstrapToken: "a" }),
    update: discovery({ tlsBootstrapToken: "b" }),
  },
  {
    title: "other patches",
    spec: init({ patches: { directory: "/a" } }),
    update: init({ patches: { directory: "/b" } }),
  },
  {
    title: "other arguments",
    spec: cluster({ apiServer: { certSANs: ["a"] } }),
    update: cluster({ apiServer: { certSANs: ["b"] } }),
  },
  { title: "one path twice", spec: file({}), update: files({ path: "/a" }, { path: "/a" }) },
  { title: "users", spec: {}, update: user({ passwd: "a", passwdFrom: { secret } }) },
];

/** What is tried of a KubeadmConfig's spec, wherever it stands. */
export const configCases: readonly ConfigCase[] = [
  ...Object.entries(specs).map(([title, spec]) => ({ title, spec })),
  ...updates.map(({ title, ...rest }) => ({ title: `an update: ${title}`, ...rest })),
];
