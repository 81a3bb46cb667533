import { list, object, optional, text } from "@capstan/schema";
import { clusterConfigurationFields } from "./cluster-configuration.ts";
import { argumentList } from "./component.ts";
import { discoveryFields } from "./discovery.ts";
import { diskSetup, layout } from "./disk-setup.ts";
import { texts, v1beta2 } from "./generation.ts";
import { commands, files, format, ignition, ntp, users, verbosity } from "./machine-setup.ts";
import {
  bootstrapTokenFields,
  localAPIEndpoint,
  nodeRegistration,
  patches,
  seconds,
  skipPhases,
} from "./node-registration.ts";

const registration = () =>
  nodeRegistration(v1beta2, argumentList("kubeletExtraArgs", "Further arguments of the kubelet."), { minItems: 0 });

const endpoint = () => localAPIEndpoint(v1beta2, { minimum: 1 });

const timeouts = () =>
  object(
    {
      controlPlaneComponentHealthCheckSeconds: optional(
        seconds("How long a control plane component may take to become healthy; 240 when unset."),
      ),
      kubeletHealthCheckSeconds: optional(seconds("How long the kubelet may take to become healthy; 240 when unset.")),
      kubernetesAPICallSeconds: optional(seconds("How long calls to the API server are tried; 60 when unset.")),
      etcdAPICallSeconds: optional(seconds("How long calls to etcd are tried; 120 when unset.")),
      tlsBootstrapSeconds: optional(seconds("How long the kubelet may take to get its certificate; 300 when unset.")),
      discoverySeconds: optional(seconds("How long a joining machine looks for the cluster; 300 when unset.")),
    },
    { description: "Timeouts of kubeadm.", ...v1beta2.object },
  );

const bootstrapTokens = () =>
  list(
    object(
      {
        token: text(23, "The token, for example abcdef.0123456789abcdef."),
        ttlSeconds: optional(seconds("Time to live; 86400 when unset, unlimited when 0.")),
        ...bootstrapTokenFields(v1beta2),
      },
      { description: "One token." },
    ),
    { description: "Tokens made when the control plane is initialised.", maxItems: 100, ...v1beta2.list },
  );

const clusterConfiguration = () =>
  object(
    clusterConfigurationFields(v1beta2, (description) => argumentList("extraArgs", description), {}),
    { description: "The cluster; used on its first control plane machine.", ...v1beta2.object },
  );

const initConfiguration = () =>
  object(
    {
      bootstrapTokens: optional(bootstrapTokens()),
      nodeRegistration: optional(registration()),
      localAPIEndpoint: optional(endpoint()),
      skipPhases: optional(skipPhases(v1beta2)),
      patches: optional(patches(v1beta2)),
      timeouts: optional(timeouts()),
    },
    { description: "Settings of kubeadm init.", ...v1beta2.object },
  );

const joinConfiguration = () =>
  object(
    {
      nodeRegistration: optional(registration()),
      caCertPath: optional(text(512, "Path of the CA certificate; /etc/kubernetes/pki/ca.crt when unset.")),
      discovery: optional(
        object(discoveryFields(v1beta2), { description: "How the cluster is found.", ...v1beta2.object }),
      ),
      controlPlane: optional(
        object(
          { localAPIEndpoint: optional(endpoint()) },
          { description: "Makes the machine a control plane machine." },
        ),
      ),
      skipPhases: optional(skipPhases(v1beta2)),
      patches: optional(patches(v1beta2)),
      timeouts: optional(timeouts()),
    },
    { description: "Settings of kubeadm join.", ...v1beta2.object },
  );

const mounts = () =>
  list(texts("Fields of the line in fstab, in order.", "One field.", { maxItems: 100, minItems: 1, maxLength: 512 }), {
    description: "File systems to mount.",
    maxItems: 100,
    ...v1beta2.list,
  });

/** The spec of a KubeadmConfig, of its own or in a template. */
export const kubeadmConfigSpec = () =>
  object(
    {
      clusterConfiguration: optional(clusterConfiguration()),
      initConfiguration: optional(initConfiguration()),
      joinConfiguration: optional(joinConfiguration()),
      files: optional(files(v1beta2)),
      diskSetup: optional(
        diskSetup(v1beta2, {
          fields: { layout: optional(layout()) },
          rules: [
            {
              rule: "[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1",
              message: "exactly one of the fields in [layout diskLayout] must be set",
            },
          ],
        }),
      ),
      mounts: optional(mounts()),
      bootCommands: optional(commands(v1beta2, "Commands run early in every boot; cloud-config only.")),
      preKubeadmCommands: optional(commands(v1beta2, "Commands run before kubeadm.")),
      postKubeadmCommands: optional(commands(v1beta2, "Commands run after kubeadm succeeded.")),
      users: optional(users(v1beta2)),
      ntp: optional(ntp(v1beta2)),
      format: optional(format()),
      verbosity: optional(verbosity()),
      ignition: optional(ignition(v1beta2)),
    },
    { description: "The configuration wanted.", ...v1beta2.object },
  );
