type Fields = Readonly<Record<string, unknown>>;

const nodeRegistration = {
  name: "{{ ds.meta_data.local_hostname }}",
  criSocket: "unix:///run/containerd/containerd.sock",
  kubeletExtraArgs: [
    { name: "cloud-provider", value: "external" },
    { name: "node-labels", value: "a=b" },
  ],
  taints: [{ key: "a", value: "b", effect: "NoExecute" }],
  ignorePreflightErrors: ["Swap", "NumCPU"],
  imagePullPolicy: "IfNotPresent",
  imagePullSerial: false,
};
const timeouts = {
  controlPlaneComponentHealthCheckSeconds: 300,
  kubeletHealthCheckSeconds: 61,
  kubernetesAPICallSeconds: 30,
  etcdAPICallSeconds: 90,
  tlsBootstrapSeconds: 200,
  discoverySeconds: 400,
};
const args = [
  { name: "v", value: "2" },
  { name: "profiling", value: "" },
];
const extraVolumes = [{ name: "a", hostPath: "/a", mountPath: "/b", readOnly: true, pathType: "DirectoryOrCreate" }];
const extraEnvs = [{ name: "HTTP_PROXY", value: "http://192.0.2.9" }];

const clusterConfiguration = {
  etcd: {
    local: {
      imageRepository: "registry.example",
      imageTag: "3.6.4-0",
      dataDir: "/var/lib/played",
      extraArgs: args,
      extraEnvs,
      serverCertSANs: ["etcd.example"],
      peerCertSANs: ["192.0.2.3"],
    },
  },
  apiServer: { extraArgs: args, extraVolumes, extraEnvs, certSANs: ["api.example"] },
  controllerManager: { extraArgs: args, extraVolumes, extraEnvs },
  scheduler: { extraArgs: args },
  dns: { imageRepository: "registry.example/dns", imageTag: "v1.12.0" },
  certificatesDir: "/etc/played/pki",
  imageRepository: "registry.example",
  featureGates: { A: true, B: false },
  certificateValidityPeriodDays: 100,
  caCertificateValidityPeriodDays: 1000,
  encryptionAlgorithm: "ECDSA-P256",
};
const patches = { directory: "/etc/patches" };

const configurations = {
  clusterConfiguration,
  initConfiguration: {
    bootstrapTokens: [
      {
        token: "abcdef.0123456789abcdef",
        description: "played",
        ttlSeconds: 3600,
        usages: ["signing", "authentication"],
        groups: ["system:bootstrappers:played"],
      },
    ],
    nodeRegistration,
    localAPIEndpoint: { advertiseAddress: "192.0.2.1", bindPort: 6444 },
    skipPhases: ["addon/kube-proxy"],
    patches,
    timeouts,
  },
  joinConfiguration: {
    nodeRegistration,
    caCertPath: "/etc/played/ca.crt",
    skipPhases: ["preflight"],
    patches,
    timeouts,
  },
};

const machineSetup = {
  files: [
    { path: "/etc/a", content: "a\n", owner: "root:adm", permissions: "0640" },
    { path: "/etc/b", contentFrom: { secret: { name: "contents", key: "b" } } },
    { path: "/etc/c", content: "Yw==", encoding: "base64", append: true },
    { path: "/etc/d", content: "no end of line: # a\n  more" },
  ],
  users: [
    {
      name: "ops",
      gecos: "Ops",
      groups: "adm, wheel",
      homeDir: "/home/o",
      inactive: false,
      shell: "/bin/bash",
      passwdFrom: { secret: { name: "contents", key: "passwd" } },
      primaryGroup: "ops",
      lockPassword: false,
      sudo: "ALL=(ALL) NOPASSWD:ALL",
      sshAuthorizedKeys: ["ssh-ed25519 AAAA ops@example"],
    },
    { name: "other" },
  ],
  ntp: { enabled: true, servers: ["ntp.example"] },
  diskSetup: {
    partitions: [{ device: "/dev/sdc", layout: true, overwrite: false, tableType: "gpt" }],
    filesystems: [
      {
        device: "/dev/sdc1",
        filesystem: "ext4",
        label: "data",
        overwrite: false,
        extraOpts: ["-E", "lazy_itable_init=1"],
      },
    ],
  },
  mounts: [["data", "/var/lib/data", "ext4", "defaults", "0", "2"]],
  preKubeadmCommands: ['echo "a: b" > /etc/e', "hostnamectl set-hostname '{{ ds.meta_data.local_hostname }}'"],
  postKubeadmCommands: ["echo done # really"],
  verbosity: 4,
};

/** Every field that takes effect on a machine with cloud-init. */
export const wholeSpec: Fields = { ...configurations, ...machineSetup, bootCommands: ["cloud-init-per once a true"] };

const { diskSetup: _, mounts: __, files, ...withoutDisks } = machineSetup;

/** The same for Ignition, without disks. */
export const wholeIgnitionSpec: Fields = {
  ...configurations,
  ...withoutDisks,
  // Upstream translates no file without permissions.
  files: files.filter((file) => !("encoding" in file)).map((file) => ({ permissions: "0644", ...file })),
  format: "ignition",
  ignition: {
    containerLinuxConfig: { additionalConfig: "systemd:\n  units:\n  - name: played.service\n    enabled: true\n" },
  },
};

/** What stands in the Secret that the specs name. */
export const contents = { b: "b\n", passwd: "$6$played" };
