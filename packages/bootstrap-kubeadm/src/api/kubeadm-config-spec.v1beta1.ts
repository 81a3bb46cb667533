import { boolean, duration, list, object, optional, string, text } from "@capstan/schema";
import { clusterConfigurationFields } from "./cluster-configuration.ts";
import { argumentMap } from "./component.ts";
import { discoveryFields } from "./discovery.ts";
import { diskSetup, layout } from "./disk-setup.ts";
import { texts, v1beta1 } from "./generation.ts";
import { commands, files, format, ignition, ntp, users, verbosity } from "./machine-setup.ts";
import { bootstrapTokenFields, localAPIEndpoint, nodeRegistration, patches, skipPhases } from "./node-registration.ts";

const registration = () => nodeRegistration(v1beta1, argumentMap("Further arguments of the kubelet."), {});

const typeFields = {
  apiVersion: optional(string({ description: "Not used: the version written follows from the Kubernetes version." })),
  kind: optional(string({ description: "Not used." })),
};

const bootstrapTokens = () =>
  list(
    object(
      {
        token: string({ description: "The token, for example abcdef.0123456789abcdef." }),
        ttl: optional(duration({ description: "Time to live; 24h when unset, unlimited when 0s." })),
        ...bootstrapTokenFields(v1beta1),
      },
      { description: "One token." },
    ),
    { description: "Tokens made when the control plane is initialised.", maxItems: 100, ...v1beta1.list },
  );

const clusterConfiguration = () =>
  object(
    {
      ...typeFields,
      ...clusterConfigurationFields(v1beta1, argumentMap, {
        timeoutForControlPlane: optional(
          duration({ description: "How long the API server may take to become healthy; 4m when unset." }),
        ),
      }),
      networking: optional(
        object(
          {
            serviceSubnet: optional(text(1024, "Addresses of Services.")),
            podSubnet: optional(text(1024, "Addresses of Pods.")),
            dnsDomain: optional(text(253, "DNS domain of Services.")),
          },
          { description: "Not used: the Cluster's network is taken." },
        ),
      ),
      kubernetesVersion: optional(text(256, "Not used: the Machine's version is taken.")),
      clusterName: optional(text(63, "Not used: the Cluster's name is taken.")),
    },
    { description: "The cluster; used on its first control plane machine." },
  );

const initConfiguration = () =>
  object(
    {
      ...typeFields,
      bootstrapTokens: optional(bootstrapTokens()),
      nodeRegistration: optional(registration()),
      localAPIEndpoint: optional(localAPIEndpoint(v1beta1, {})),
      skipPhases: optional(skipPhases(v1beta1)),
      patches: optional(patches(v1beta1)),
    },
    { description: "Settings of kubeadm init." },
  );

const joinConfiguration = () =>
  object(
    {
      ...typeFields,
      nodeRegistration: optional(registration()),
      caCertPath: optional(text(512, "Path of the CA certificate; /etc/kubernetes/pki/ca.crt when unset.")),
      discovery: optional(
        object(
          {
            ...discoveryFields(v1beta1),
            timeout: optional(duration({ description: "How long the cluster is looked for; 5m when unset." })),
          },
          { description: "How the cluster is found." },
        ),
      ),
      controlPlane: optional(
        object(
          { localAPIEndpoint: optional(localAPIEndpoint(v1beta1, {})) },
          { description: "Makes the machine a control plane machine." },
        ),
      ),
      skipPhases: optional(skipPhases(v1beta1)),
      patches: optional(patches(v1beta1)),
    },
    { description: "Settings of kubeadm join." },
  );

/** The spec of a KubeadmConfig, of its own or in a template. */
export const kubeadmConfigSpec = () =>
  object(
    {
      clusterConfiguration: optional(clusterConfiguration()),
      initConfiguration: optional(initConfiguration()),
      joinConfiguration: optional(joinConfiguration()),
      files: optional(files(v1beta1)),
      diskSetup: optional(diskSetup(v1beta1, { fields: { layout: layout() } })),
      mounts: optional(
        list(texts("Fields of the line in fstab, in order.", "One field.", { maxLength: 512 }), {
          description: "File systems to mount.",
          maxItems: 100,
        }),
      ),
      bootCommands: optional(commands(v1beta1, "Commands run early in every boot; cloud-config only.")),
      preKubeadmCommands: optional(commands(v1beta1, "Commands run before kubeadm.")),
      postKubeadmCommands: optional(commands(v1beta1, "Commands run after kubeadm succeeded.")),
      users: optional(users(v1beta1)),
      ntp: optional(ntp(v1beta1)),
      format: optional(format()),
      verbosity: optional(verbosity()),
      useExperimentalRetryJoin: optional(boolean({ description: "Not used any more." })),
      ignition: optional(ignition(v1beta1)),
    },
    { description: "The configuration wanted." },
  );
