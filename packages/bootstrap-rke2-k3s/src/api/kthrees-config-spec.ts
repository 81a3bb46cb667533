import { flagField, list, object, objectReference, optional, textField, textsField } from "@capstan/schema";
import { contentKey, fileFields } from "./file-fields.ts";
import { dataFields, documentFields, filesField } from "./pipeline-fields.ts";

const file = object(
  {
    ...fileFields,
    contentFrom: optional(
      object(
        { secret: object(contentKey, { description: "A Secret in the namespace of the object." }) },
        { description: "Where the content comes from instead." },
      ),
    ),
  },
  { description: "One file." },
);

const filesDescription = "Files to write before k3s is installed.";

const argument = "name=value, without dashes.";

const serverFields = {
  advertiseAddress: textField("Address that the API server advertises."),
  advertisePort: textField("Port that the API server advertises."),
  bindAddress: textField("Address that the server listens on."),
  clusterCidr: textField("Network of the pods; the Cluster's when unset."),
  clusterDNS: textField("Address of the cluster's DNS service."),
  clusterDomain: textField("Domain of the cluster; the Cluster's when unset."),
  disableComponents: textsField("What k3s does not deploy.", "Name of a component."),
  disableExternalCloudProvider: flagField("Deprecated: unset, use disableCloudController and cloudProviderName."),
  httpsListenPort: textField("Port that the server listens on; 6443 when unset."),
  kubeAPIServerArg: textsField("Further arguments of the API server.", argument),
  kubeControllerManagerArgs: textsField("Further arguments of the controller manager.", argument),
  kubeSchedulerArgs: textsField("Further arguments of the scheduler.", argument),
  serviceCidr: textField("Network of the Services; the Cluster's when unset."),
  tlsSan: textsField("Further names in the serving certificate.", "A name or address."),
};

const newerServerFields = {
  cloudProviderName: textField(
    "Argument cloud-provider of the kubelet and the controller manager; external when unset.",
  ),
  disableCloudController: flagField("Whether k3s does not run its own cloud controller; yes when unset."),
  etcdProxyImage: textField("Image of the proxy through which the control plane reaches etcd."),
  externalDatastoreSecret: optional(
    objectReference({ description: "Secret with endpoint, and where needed ca.pem, cert.pem and key.pem." }),
  ),
  systemDefaultRegistry: textField("Registry of all system images."),
};

const agentFields = {
  airGapped: flagField("Whether k3s is installed from files of the image."),
  kubeProxyArgs: textsField("Further arguments of the kube-proxy.", argument),
  kubeletArgs: textsField("Further arguments of the kubelet.", argument),
  nodeLabels: textsField("Labels of the Node.", "key=value."),
  nodeName: textField("Name of the Node, with a Jinja expression such as {{ ds.meta_data.label }}."),
  nodeTaints: textsField("Taints of the Node.", "key=value:Effect."),
  privateRegistry: textField("Path of a registries.yaml."),
};

const commonFields = () => ({
  preK3sCommands: textsField("Commands to run before k3s is installed.", "A command for the shell."),
  postK3sCommands: textsField("Commands to run once k3s has started.", "A command for the shell."),
  version: textField("Version of k3s instead of the Machine's."),
});

const server = { description: "What only servers have." };
const agent = { description: "What servers and agents have." };

/** The spec of a KThreesConfig in v1beta1. */
export const olderKthreesConfigSpec = () =>
  object(
    {
      ...commonFields(),
      files: optional(list(file, { description: filesDescription })),
      serverConfig: optional(object(serverFields, server)),
      agentConfig: optional(object(agentFields, agent)),
    },
    { description: "How machines are made Nodes." },
  );

/** The spec of a KThreesConfig. */
export const kthreesConfigSpec = () =>
  object(
    {
      ...commonFields(),
      ...dataFields(),
      files: filesField(filesDescription),
      serverConfig: optional(object({ ...serverFields, ...newerServerFields }, server)),
      agentConfig: optional(
        object(
          {
            ...agentFields,
            ...documentFields(),
            airGappedInstallScriptPath: textField("Path of the install script; /opt/install.sh when unset."),
          },
          agent,
        ),
      ),
    },
    { description: "How machines are made Nodes." },
  );
