import {
  enumOf,
  flagField,
  list,
  object,
  objectReference,
  optional,
  string,
  textField,
  textsField,
  type TypeOf,
} from "@capstan/schema";
import { component } from "./rke2-component.ts";

const reference = (description: string) => optional(objectReference({ description }));

const listOf = <const V extends string>(values: readonly V[], description: string) =>
  optional(list(enumOf(values, { description: "One of them." }), { description }));

const backup = object(
  {
    disableAutomaticSnapshots: flagField("Disables automatic snapshots."),
    snapshotName: textField("Beginning of the names of snapshots."),
    scheduleCron: textField("When snapshots are made, as in a crontab."),
    retention: textField("Number of snapshots that are kept."),
    directory: textField("Directory of the snapshots."),
    s3: optional(
      object(
        {
          endpoint: string({ description: "Host of the S3 service." }),
          endpointCAsecret: reference("Secret with ca.pem, the authority of the service."),
          enforceSslVerify: flagField("Whether the certificate of the service is checked; no when unset."),
          s3CredentialSecret: reference("Secret with aws_access_key_id and aws_secret_access_key."),
          bucket: textField("Bucket of the snapshots."),
          region: textField("Region of the bucket."),
          folder: textField("Folder in the bucket."),
        },
        { description: "S3 storage of snapshots." },
      ),
    ),
  },
  { description: "Snapshots." },
);

const etcd = object(
  {
    exposeMetrics: flagField("Whether metrics are offered on the client interface."),
    customConfig: component("Settings of etcd."),
    backupConfig: optional(backup),
  },
  { description: "etcd." },
);

const pluginComponents = [
  "rke2-coredns",
  "rke2-ingress-nginx",
  "rke2-metrics-server",
  "rke2-snapshot-controller",
  "rke2-snapshot-controller-crd",
  "rke2-snapshot-validation-webhook",
  "rke2-traefik",
  "rke2-traefik-crd",
] as const;

const disableComponents = object(
  {
    kubernetesComponents: listOf(["scheduler", "kubeProxy", "cloudController"], "Kubernetes components."),
    pluginComponents: listOf(pluginComponents, "Components that RKE2 deploys."),
  },
  { description: "What is not run." },
);

const secretsEncryption = object(
  {
    provider: optional(enumOf(["aescbc", "secretbox"], { description: "How Secrets are encrypted." })),
    encryptionKeySecret: reference("Secret with encryptionKey, the bytes of the key."),
  },
  { description: "Encryption of Secrets in the datastore." },
);

/** Fields for servers only. */
export const rke2ServerConfig = () =>
  object(
    {
      advertiseAddress: textField("Address that the API server advertises."),
      auditPolicySecret: reference("Secret with audit-policy.yaml."),
      bindAddress: textField("Address that the server listens on."),
      cloudControllerManager: component("The cloud controller manager."),
      cloudProviderConfigMap: reference("ConfigMap with cloud-config."),
      cloudProviderName: textField("Name of the cloud provider."),
      clusterDNS: textField("Address of the cluster's DNS service."),
      clusterDomain: textField("Domain of the cluster; the Cluster's serviceDomain when unset."),
      cni: optional(
        enumOf(["none", "calico", "canal", "cilium"], { description: "Network plug-in; canal when unset." }),
      ),
      cniMultusEnable: flagField("Whether Multus comes before it."),
      disableComponents: optional(disableComponents),
      embeddedRegistry: flagField("Whether images are shared among the Nodes."),
      etcd: optional(etcd),
      externalDatastoreSecret: reference("Secret with endpoint, and where needed ca.pem, cert.pem and key.pem."),
      ingressController: listOf(["none", "traefik", "ingress-nginx"], "Ingress controllers."),
      kubeAPIServer: component("The API server."),
      kubeControllerManager: component("The controller manager."),
      kubeScheduler: component("The scheduler."),
      pauseImage: textField("Image of pause containers."),
      secretsEncryption: optional(secretsEncryption),
      serviceNodePortRange: textField("Ports of Services of type NodePort."),
      supervisorMetrics: flagField("Whether RKE2 offers its metrics."),
      tlsSan: textsField("Further names in the serving certificate.", "A name or address."),
    },
    { description: "What only servers have." },
  );

/** Settings that only servers of RKE2 have. */
export type RKE2ServerConfig = TypeOf<ReturnType<typeof rke2ServerConfig>>;
