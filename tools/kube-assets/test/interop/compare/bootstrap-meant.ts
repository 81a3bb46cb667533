import type { Meant } from "./requests.ts";

/** Scenarios in which no data can be made, or not yet, for reasons of which upstream has no condition, or another one. */
const failing = [
  "an external etcd",
  "a Cluster without an endpoint",
  "versions that cannot be",
  "a cluster that cannot be reached",
  "a worker as a control plane",
  "contents that are missing",
].join("|");

/** Scenarios in which certificates keep the data away. */
const withoutCertificates = [
  "an external etcd",
  "an authority without a certificate",
  "a worker without an authority",
  "a control plane grows without certificates",
].join("|");

/** Only upstream has it. */
const theirsAlone = /^(?!.*"ours":)/;
/** Only ours has it. */
const oursAlone = /^\{"ours":/;

/** Differences of what the kubeadm bootstrap provider makes of scenarios that are meant. */
export const bootstrapMeant: Meant = [
  [
    /\| data\.document\.files\.\/run\/cluster-api\/placeholder\.content$/,
    "the file is there for its folder alone",
    /^(?=.*"upstream":)(?=.*"ours":)/,
  ],
  [
    /\| KubeadmConfig \S+ \| event (Normal|Warning) /,
    "Events say when data was made, and what keeps it away",
    oursAlone,
  ],
  [
    /\| Secret pool \| annotations capstan\.dev\/bootstrap-revision$/,
    "beside the data of a pool stands what it was made from: it is made anew when that changes",
    oursAlone,
  ],
  [
    /^data (without an owner|of somebody else) \|/,
    "a Secret that is not the config's is said before anything else is made; upstream has an error in its log",
  ],
  [
    /\| ConfigMap prod-lock \|/,
    "the lock of a control plane goes when its first machine has joined; upstream's goes when another one joins",
    theirsAlone,
  ],
  [/\| data\.document\.mounts\[0\]\[[45]\]$/, "cloud-init's schema takes texts alone"],
  [/\| data\.document\.users\[0\]\.inactive$/, "cloud-init takes a number of days, and nothing for false", theirsAlone],
  [
    /by Ignition \|.*\| data\.document\.(ignition\.(config|security\.tls|timeouts)|networkd)$/,
    "parts that are empty are left out",
    theirsAlone,
  ],
  [/by Ignition \|.*\| data\.document\.files\.\S+\.(user|group)\.name$/, "every file says whose it is", oursAlone],
  [
    /by Ignition \|.*\| data\.document\.(order$|files\.\/etc\/(ssh\/sshd_config|kubeadm\.sh|ntp\.conf)\.content$|units\.kubeadm\.service\.contents$)/,
    "these say the same in texts of their own, of which the order does not matter",
  ],
  [
    /^an external etcd \| its certificates \| Secret m \| data\.document\.(order$|files\.null\.)/,
    "upstream writes the key of the etcd's authority to a file without a path",
  ],
  [
    new RegExp(
      `^(${failing}) \\|.* status\\.(v1beta2\\.|deprecated\\.v1beta1\\.)?conditions\\[(DataSecretAvailable|Ready)\\]\\.`,
    ),
    "what keeps the data away is said with its cause; upstream leaves the condition out, or as it was before",
  ],
  [
    new RegExp(
      `^(${withoutCertificates}) \\|.* status\\.(v1beta2\\.|deprecated\\.v1beta1\\.)?conditions\\[(CertificatesAvailable|Ready)\\]\\.message$`,
    ),
    "the Secret is named, with what it lacks",
  ],
  [
    /^an authority that cannot be read \|.* status\.(v1beta2\.|deprecated\.v1beta1\.)?conditions\[(CertificatesAvailable|Ready)\]\./,
    "what cannot be read is not available",
  ],
  [
    /^(an authority|a worker as a control plane|a Cluster without an endpoint|versions that cannot be|a control plane grows without).* (spec|workload)(\.|$)/,
    "the spec is completed, and a token made, once nothing else is missing",
    /^(?!.*"ours":)|"ours":"\{\}"/,
  ],
  [
    /^a cluster that cannot be reached \|.* (spec\.joinConfiguration\.discovery\.bootstrapToken\.token|workload(\.token)?)$/,
    "a token is stored in the spec before it exists anywhere else",
  ],
  [
    /conditions\[(DataSecretAvailable|Ready)\]\.message$/,
    "what is waited for is said in words of our own, and in the older generation as well",
    /waiting for the control plane to be initialized|infrastructure is not provisioned yet/,
  ],
  [
    /^discovery as the user says \|.*\.caCertHashes\[0\]$/,
    "nothing is pinned where the user wants no check",
    theirsAlone,
  ],
  [
    /^discovery by a file \|.*\/etc\/played\.conf\.content\.(apiVersion|kind)$/,
    "a kubeconfig says what it is",
    oursAlone,
  ],
  [
    /^(a worker joins|a control plane grows) \|.* workload\.token/,
    "a token goes when its machine has joined; upstream lets it expire",
  ],
  [/^(a MachinePool|a token is lost) \|.* workload\.token/, "tokens are looked at three times in their life"],
  [
    /^(a Machine with data of its own|data without a status) \|.*\.conditions\[CertificatesAvailable\]\./,
    "both generations of conditions say the same",
    oursAlone,
  ],
];
